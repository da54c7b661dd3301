{{/* A pod that runs one role of the server; `volume` is where it keeps data. */}}
{{- define "whence.pod" -}}
metadata:
  labels: {{- include "whence.labels" . | nindent 4 }}
  annotations:
    {{- if not .root.Values.existingSecret }}
    checksum/secret: {{ .root.Values.secrets | toJson | sha256sum }}
    {{- end }}
    checksum/env: {{ .root.Values.env | toJson | sha256sum }}
    {{- with .root.Values.podAnnotations }}{{ toYaml . | nindent 4 }}{{ end }}
spec:
  automountServiceAccountToken: false
  # A process drains within 15 seconds.
  terminationGracePeriodSeconds: 30
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    seccompProfile: { type: RuntimeDefault }
  {{- with .root.Values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: whence
      image: {{ printf "%s:%s" .root.Values.image.repository (.root.Values.image.tag | default .root.Chart.AppVersion) | quote }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: ["serve", "--role", {{ .role | quote }}]
      ports:
        - { name: http, containerPort: 4000 }
      envFrom:
        - secretRef: { name: {{ include "whence.secretName" .root }} }
      env:
        {{- with include "whence.appUrl" .root }}
        - { name: WHENCE_APP_URL, value: {{ . | quote }} }
        {{- end }}
        {{- if and .root.Values.proxy.trustedNetworks (not (hasKey .root.Values.env "WHENCE_TRUSTED_PROXIES")) }}
        - { name: WHENCE_TRUSTED_PROXIES, value: {{ join "," .root.Values.proxy.trustedNetworks | quote }} }
        {{- end }}
        {{- range $name, $value := .root.Values.env }}
        {{- if kindIs "map" $value }}
        - { name: {{ $name }}, valueFrom: {{ $value.valueFrom | toJson }} }
        {{- else }}
        - { name: {{ $name }}, value: {{ $value | quote }} }
        {{- end }}
        {{- end }}
        - { name: HOST, value: "0.0.0.0" }
        - { name: PORT, value: "4000" }
        - { name: WHENCE_DATA_DIR, value: /data }
      # Long enough for migrations.
      startupProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 2
        failureThreshold: 150
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 5
        timeoutSeconds: 3
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: ["ALL"] }
      resources: {{- toYaml .resources | nindent 8 }}
      volumeMounts:
        - { name: data, mountPath: /data }
        - { name: tmp, mountPath: /tmp }
  volumes:
    - { name: tmp, emptyDir: {} }
    {{- if .isTransient }}
    - { name: data, emptyDir: {} }
    {{- end }}
  {{- include "whence.placement" . | nindent 2 }}
{{- end -}}

{{/* Where pods run: not all copies of one on the same machine, if that can be had. */}}
{{- define "whence.placement" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "whence.selector" . | nindent 8 }}
{{- with .root.Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
