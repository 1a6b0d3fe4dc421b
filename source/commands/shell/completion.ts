/** `planwright completion SHELL`: prints the script that lets a shell complete commands, flags and their values. */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { appendLines } from "../../engine/files/append-lines.ts";
import { makeFolder } from "../../engine/files/make-folder.ts";
import { ArgumentProblem, readArguments } from "./arguments.ts";
import type { Command } from "./command.ts";
import { completions } from "./completions.ts";

/**
 * Each script asks the program for completions of the word being typed: one per line, or `:files` and `:folders`, which the shell
 * finds itself. Completions thus always match the installed program.
 */
const scripts: Readonly<Record<string, string>> = {
  bash: `# bash completion for planwright; in ~/.bashrc: eval "$(planwright completion bash)"
_planwright() {
  local line names=no words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  local -a found
  while IFS= read -r line; do
    case $line in
      :files) compopt -o default ;;
      :folders) names=yes; compopt -o filenames -o plusdirs ;;
      *) found+=("$line") ;;
    esac
  done < <(planwright completion words -- "\${words[@]//\\\\/}" 2>/dev/null)
  COMPREPLY=()
  for line in "\${found[@]}"; do
    # Bash quotes names of files only.
    [[ $names == no && $line == *[!A-Za-z0-9_./:=,@%+-]* ]] && printf -v line %q "$line"
    COMPREPLY+=("$line")
  done
}
complete -F _planwright planwright
`,
  zsh: `#compdef planwright
# zsh completion for planwright; in ~/.zshrc, after compinit: eval "$(planwright completion zsh)"
_planwright() {
  local line
  local -a found
  for line in "\${(@f)$(planwright completion words -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      :files) [[ $PREFIX == --*=* ]] && compset -P '--*='; _files ;;
      :folders) _files -/ ;;
      ?*) found+=("$line") ;;
    esac
  done
  (( $#found )) && compadd -- "\${found[@]}"
}
compdef _planwright planwright
`,
  fish: `# fish completion for planwright; in ~/.config/fish/config.fish: planwright completion fish | source
function __planwright_words
  set -l current (commandline -ct)
  set -l typed (commandline -opc)
  set -l word (string unescape -- "$current"); or set word "$current"
  set -l flag (string match -r -- '^--[^=]*=' "$current")
  for line in (planwright completion words -- $typed[2..] "$word" 2>/dev/null)
    switch $line
      case :files
        printf '%s\\n' "$flag"(__fish_complete_path (string replace -r -- '^--[^=]*=' '' "$current"))
      case :folders
        __fish_complete_directories "$current"
      case '*'
        echo $line
    end
  end
end
complete -c planwright -f -a '(__planwright_words)'
`,
};
const shells = Object.keys(scripts);

/** The start-up file of each shell, and the lines in it that load the script. */
const startUps: Readonly<Record<string, (home: string) => { readonly file: string; readonly lines: string }>> = {
  bash: (home) => ({ file: join(home, ".bashrc"), lines: 'eval "$(planwright completion bash)"' }),
  zsh: (home) => ({
    file: join(process.env["ZDOTDIR"] || home, ".zshrc"),
    lines: '(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }\neval "$(planwright completion zsh)"',
  }),
  fish: (home) => ({
    file: join(process.env["XDG_CONFIG_HOME"] || join(home, ".config"), "fish", "completions", "planwright.fish"),
    lines: "planwright completion fish | source",
  }),
};

/** Adds the lines to the shell's start-up file unless it has them. Returns a sentence about the result. */
function install(shell: string): string {
  const { file, lines } = startUps[shell]!(homedir());
  if (existsSync(file) && readFileSync(file, "utf8").includes(lines))
    return `${file} already loads the completion; nothing was changed\n`;
  makeFolder(dirname(file));
  appendLines(file, "", `${lines}\n`);
  return `Added to ${file}:\n${lines}\nOpen a new shell to use it\n`;
}

const flags = { install: "nothing" } as const;

/** Returns the command of a program with these commands. */
export const completionCommand = (commands: () => readonly Command[]): Command => ({
  name: "completion",
  summary: "print a script that lets a shell complete command lines",
  usage: `planwright completion ${shells.join("|")} [--install]

Prints a script for the shell. --install adds the line that loads the script to the shell's start-up file, once:
  bash  eval "$(planwright completion bash)"
  zsh   eval "$(planwright completion zsh)"              (after compinit)
  fish  planwright completion fish | source

It completes commands, flags and their values: sessions, cells, suites, endpoints, models, files.`,
  takes: [{ words: shells }],
  flags,
  async run(args, { suites, stdout }) {
    const { positionals, flag } = readArguments(args, flags);
    const [shell, ...words] = positionals;
    if (shell === "words") {
      const found = await completions(words, { suites, commands: commands() });
      stdout(found.map((word) => `${word}\n`).join(""));
      return 0;
    }
    const script = shell === undefined || !Object.hasOwn(scripts, shell) ? undefined : scripts[shell];
    if (script === undefined || words.length > 0)
      throw new ArgumentProblem(`Expected one shell (${shells.join(", ")}), got \`${positionals.join(" ")}\``);
    stdout(flag("install") ? install(shell!) : script);
    return 0;
  },
});
