import { type Command, exitCodes, UsageError } from "./command.ts";

const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

/** `whence completion SHELL`: prints the completion script for the given commands. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return {
    name: "completion",
    summary: "print the completion script for a shell",
    operands: shells.join("|"),
    choices: shells,
    options: {},
    details: `bash: source <(whence completion bash)
zsh:  source <(whence completion zsh), after compinit
fish: whence completion fish | source`,
    async run({ positionals }, { stdout }) {
      const shell = shells.find((name) => name === positionals[0]);
      if (shell === undefined) throw new UsageError(`name a shell: ${shells.join(", ")}`);
      stdout.write(scripts[shell](commands()));
      return exitCodes.completed;
    },
  };
}

const scripts: Readonly<Record<Shell, (commands: readonly Command[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

function bashScript(commands: readonly Command[]): string {
  const cases = commands.map(({ name, options, choices = [] }) => {
    const flags = [...Object.keys(options).map((option) => `--${option}`), "--help"];
    return `    ${name}) flags="${flags.join(" ")}" choices="${choices.join(" ")}" ;;`;
  });
  return `_whence() {
  local current="\${COMP_WORDS[COMP_CWORD]}" flags="" choices=""
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
    ${fileOptions(commands).join("|")}) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")} help --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  if [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$current"))
  elif [ -n "$choices" ]; then COMPREPLY=($(compgen -W "$choices" -- "$current"))
  else COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _whence whence
`;
}

function zshScript(commands: readonly Command[]): string {
  const names = commands.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`);
  const cases = commands.map(({ name, options, choices }) => {
    const specs = Object.entries(options).map(([option, { description, value, multiple }]) => {
      const action = value === undefined ? "" : `:${value}:${value === "FILE" ? "_files" : ""}`;
      return `      '${multiple ? "*" : ""}--${option}[${quoted(description)}]${action}'`;
    });
    const operand = choices ? `      '1:choice:(${choices.join(" ")})'` : "      '*:file:_files'";
    return `    ${name}) _arguments \\\n${[...specs, operand].join(" \\\n")} ;;`;
  });
  return `#compdef whence
_whence() {
  local -a commands
  commands=(
${names.join("\n")}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join("\n")}
  esac
}
compdef _whence whence
`;
}

function fishScript(commands: readonly Command[]): string {
  const lines = commands.flatMap(({ name, summary, options, choices }) => [
    `complete -c whence -f -n __fish_use_subcommand -a ${name} -d '${quoted(summary)}'`,
    ...Object.entries(options).map(([option, { type, value, description }]) => {
      const takes = type === "boolean" ? "" : value === "FILE" ? " -r -F" : " -r -f";
      return `complete -c whence -n '__fish_seen_subcommand_from ${name}' -l ${option}${takes} -d '${quoted(description)}'`;
    }),
    ...(choices ? [`complete -c whence -f -n '__fish_seen_subcommand_from ${name}' -a '${choices.join(" ")}'`] : []),
  ]);
  return `${lines.join("\n")}\n`;
}

function fileOptions(commands: readonly Command[]): string[] {
  const names = commands.flatMap(({ options }) =>
    Object.entries(options).flatMap(([name, { value }]) => (value === "FILE" ? [`--${name}`] : [])),
  );
  return [...new Set(names)];
}

/** Escapes text for single quotes and zsh's brackets. */
function quoted(text: string): string {
  return text.replace(/['[\]:]/g, " ");
}
