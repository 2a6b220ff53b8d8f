import { Code } from '@mantine/core'
import classes from './command-line.module.css'
import { CopyButton } from './copy-button.tsx'

/** The command of the command line that does the same, under the words of an empty list. */
export function CommandLine({ command }: { command: string }) {
  return (
    <span className={classes.line}>
      <span>In a terminal:</span>
      <Code className={classes.command ?? ''}>{command}</Code>
      <CopyButton text={command} label="Copy" what="the command" size="xs" />
    </span>
  )
}
