import { parseArgs } from 'node:util'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { checkDatabase } from './doctor-database.ts'
import { checkSurroundings } from './doctor-surroundings.ts'
import { type Finding, found } from './finding.ts'

/** `svc-server doctor`: checks what a start checks, and what the service needs later. It changes nothing. */
export async function examine(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean' } } })
  const findings = await findingsOf(process.env)
  const lines = values.json ? [JSON.stringify(findings, null, 2)] : findings.map(lineOf)
  process.stdout.write(`${lines.join('\n')}\n`)
  if (findings.some(({ state }) => state === 'failed')) process.exitCode = 1
}

async function findingsOf(environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const read = settingsOf(environment)
  if ('problems' in read)
    return read.problems.map((problem) =>
      found('settings', 'failed', problem, 'Run svc-server config for all settings.'),
    )
  const { config } = read
  const settings = found('settings', 'ok', 'All settings are valid.')
  const node = found('node', 'ok', `Node.js ${process.versions.node}.`)
  return [node, settings, ...(await checkSurroundings(config)), ...(await checkDatabase(config))]
}

function settingsOf(environment: NodeJS.ProcessEnv): { config: Config } | { problems: string[] } {
  try {
    return readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return { problems: error.problems }
    throw error
  }
}

const stateWidth = 'warning'.length

const lineOf = ({ check, state, text, remedy }: Finding): string =>
  `${state.padEnd(stateWidth)}  ${check}: ${text}${remedy ? ` ${remedy}` : ''}`
