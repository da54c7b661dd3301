import type { Signature } from "../../findings.ts";

export const kubernetesImages: readonly Signature[] = [
  {
    id: "kubernetes.image-not-found",
    category: "bad-config",
    match: {
      code: ["ErrImagePull", "InvalidImageName", "ErrImageNeverPull"],
      message: [
        "manifest for {image} not found",
        "manifest unknown",
        "repository does not exist",
        'Failed to pull image "{image}": *not found',
        'Failed to apply default image tag "{image}"',
        "couldn't parse image name",
        "no matching manifest for {platform} in the manifest list entries",
        "InvalidImageName",
        "pull access denied for {image}",
      ],
    },
    meaning:
      "The image cannot be pulled: name or tag does not exist, it was not built for this platform, or the registry asks for a login.",
    seenIfTrue: "`docker pull` (or `crane manifest`) of exactly that name fails elsewhere too",
    seenIfFalse: "it works elsewhere, and the node lacks access",
    shortTerm: "Correct name and tag, or push the image; for another processor build with `docker buildx --platform`.",
    longTerm: "Deploy by digest, after the push has succeeded.",
    url: "https://kubernetes.io/docs/concepts/containers/images/",
  },
  {
    id: "kubernetes.registry-auth",
    category: "auth",
    match: {
      message: [
        "Failed to pull image*unauthorized",
        "Failed to pull image*403 Forbidden",
        "Failed to pull image*no basic auth credentials",
        "unauthorized: authentication required",
        "no basic auth credentials",
        "Unable to retrieve some image pull secrets",
        "failed to authorize: failed to fetch",
      ],
    },
    meaning: "The registry refused to give the image out: the pull secret is missing, wrong or expired.",
    seenIfTrue: "the pod names no `imagePullSecrets`, or the secret's token has expired",
    seenIfFalse: "`docker pull` with that secret works",
    shortTerm:
      "Make the secret anew (`kubectl create secret docker-registry`), and name it in `imagePullSecrets` of the pod or service account.",
    longTerm: "Let the nodes sign in by their own identity, and renew secrets automatically.",
    url: "https://kubernetes.io/docs/tasks/configure-pod-container/pull-image-private-registry/",
  },
  {
    id: "kubernetes.image-rate-limit",
    category: "resource-exhaustion",
    match: {
      message: [
        "toomanyrequests: You have reached your pull rate limit",
        "You have reached your unauthenticated pull rate limit",
        "toomanyrequests",
      ],
    },
    meaning: "The registry's limit for pulls is used up (Docker Hub counts by address).",
    seenIfTrue: "many nodes pull without a login through one address",
    seenIfFalse: "the pulls are signed in and few",
    shortTerm: "Sign in to the registry, or pull from a mirror.",
    longTerm: "Mirror public images into your own registry.",
    url: "https://docs.docker.com/docker-hub/usage/",
  },
  {
    id: "kubernetes.image-pull-back-off",
    category: "bad-config",
    match: { code: ["ImagePullBackOff"], message: ['Back-off pulling image "{image}"'] },
    meaning: "Kubernetes waits before it tries to pull the image again: earlier attempts failed.",
    seenIfTrue: "an earlier event of the pod says why the pull failed",
    seenIfFalse: "the next attempt succeeds",
    shortTerm:
      'Read the first "Failed to pull image" event (`kubectl describe pod`), and correct name, tag or pull secret.',
    longTerm: "Deploy by digest, after the push has succeeded.",
    url: "https://kubernetes.io/docs/concepts/containers/images/#imagepullbackoff",
  },
  {
    id: "kubernetes.create-config",
    category: "bad-config",
    match: {
      code: ["CreateContainerConfigError", "CreateContainerError"],
      message: [
        'configmap "{name}" not found',
        'secret "{name}" not found',
        "couldn't find key {key} in ConfigMap",
        "couldn't find key {key} in Secret",
        "references non-existent config key: {key}",
        "references non-existent secret key: {key}",
      ],
    },
    meaning: "The container cannot be created because a ConfigMap, a Secret or a key in it is missing.",
    seenIfTrue: "`kubectl get configmap,secret` in the pod's namespace lacks the name or key",
    seenIfFalse: "it is there, in another namespace",
    shortTerm: "Create it in the pod's namespace, or correct the name or key in the pod.",
    longTerm: "Deploy configuration together with the workload, and before it.",
    url: "https://kubernetes.io/docs/tasks/configure-pod-container/configure-pod-configmap/",
  },
  {
    id: "kubernetes.run-container",
    category: "bad-config",
    match: {
      code: ["RunContainerError", "StartError", "ContainerCannotRun"],
      message: [
        "failed to create containerd task",
        "OCI runtime create failed",
        "OCI runtime exec failed",
        "exec format error",
        "error during container init",
      ],
    },
    meaning:
      "The container's program could not be started: a wrong command, a missing file, a missing right to execute, or another processor's image.",
    seenIfTrue:
      "the image lacks the program or the script's interpreter (CRLF in its first line), or `exec format error` names another architecture",
    seenIfFalse: "`docker run` of the same image and command starts it",
    shortTerm:
      "Compare `command` and `args` with the image (`docker run --entrypoint sh`), and its platform with the node's.",
    longTerm: "Start the image with the same command in CI, on the platform of production.",
    url: "https://kubernetes.io/docs/tasks/inject-data-application/define-command-argument-container/",
  },
];
