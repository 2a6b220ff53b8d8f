import { readFileSync } from 'node:fs'
import type { Command } from '../packages/cli/src/command.ts'
import { groups } from '../packages/cli/src/groups/index.ts'
import { optionAbout, optionName, usageOf } from '../packages/cli/src/help.ts'
import { globalOptions, type Options } from '../packages/cli/src/options.ts'

const page = new URL('../docs/cli.md', import.meta.url)
const [start, end] = ['<!-- commands: printed by npm run documents -->', '<!-- end of commands -->']

/** docs/cli.md with the commands as they are. The text around them is written by hand. */
export function cliPage(): string {
  const text = readFileSync(page, 'utf8')
  const [before, after] = [text.indexOf(start), text.indexOf(end)]
  if (before === -1 || after === -1) throw new Error(`docs/cli.md needs the lines ${start} and ${end}.`)
  return text.slice(0, before) + [start, '', ...commandLines(), '', ''].join('\n') + text.slice(after)
}

const commandLines = (): string[] => [
  '### Options of every command',
  '',
  ...optionTable(globalOptions),
  ...groups.flatMap(({ name, summary, commands }) => ['', `### svc ${name}`, '', summary, ...commands.flatMap(lines)]),
]

function lines(command: Command): string[] {
  const { summary, about, options, name } = command
  const isAlone = !name.includes(' ')
  return [
    ...(isAlone ? [] : ['', `#### svc ${name}`, '', summary]),
    '',
    ...['```text', `svc ${usageOf(command)}${Object.keys(options).length > 0 ? ' [OPTIONS]' : ''}`, '```'],
    ...(about ? ['', escaped(about.replaceAll('\n', ' '))] : []),
    ...(Object.keys(options).length > 0 ? ['', ...optionTable(options)] : []),
  ]
}

const optionTable = (options: Options): string[] => [
  '| option | meaning |',
  '| --- | --- |',
  ...Object.entries(options).map(
    ([name, option]) => `| \`${optionName(name, option).replaceAll('|', '\\|')}\` | ${escaped(optionAbout(option))} |`,
  ),
]

const escaped = (text: string): string => text.replace(/[|*<]/g, '\\$&')
