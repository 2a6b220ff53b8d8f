import { command, type Group } from '../command.ts'
import { usage } from '../problem.ts'

/** Each script asks `svc __complete WORDS…` for words that can replace the last one. */
const scripts = {
  bash: `_svc() {
  local IFS=$'\\n'
  COMPREPLY=($(svc __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  local at
  for at in "\${!COMPREPLY[@]}"; do printf -v "COMPREPLY[$at]" '%q' "\${COMPREPLY[$at]}"; done
}
complete -F _svc svc
`,
  zsh: `#compdef svc
_svc() {
  local -a found
  found=("\${(@f)$(svc __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=(\${found:#})
  (( \${#found} )) && compadd -a found
}
compdef _svc svc
`,
  fish: `complete -c svc -f -a '(svc __complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName svc -ScriptBlock {
  param($word, $line, $position)
  $words = @($line.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($word -eq '') { $words += '' }
  svc __complete @words 2>$null | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`,
}

const shells = Object.keys(scripts) as (keyof typeof scripts)[]

const run = command({
  name: 'completion',
  summary: 'Print the completion script of a shell.',
  about: `SHELL is ${shells.join(', ')}. Commands, options and the keys of the project are completed; keys are kept for a minute.`,
  args: ['SHELL'],
  examples: ['source <(svc completion bash)', 'svc completion fish > ~/.config/fish/completions/svc.fish'],
  async run({ args, session }) {
    const shell = shells.find((each) => each === args.SHELL)
    if (!shell) throw usage(`SHELL must be ${shells.join(', ')} (got ${args.SHELL}).`)
    await session.output.raw(scripts[shell])
  },
})

export const completion: Group = { name: 'completion', summary: 'Completion for your shell.', commands: [run] }
