import { resolve } from 'node:path'
import { baseUrlOf, type Config, ConfigError, readConfig } from './config.ts'
import { takeGround } from './ground.ts'
import { openDatabase } from './platform/db/index.ts'
import { type LogFormat, openLog, standardOutput } from './platform/log.ts'
import { giveBackMemoryWhenIdle } from './platform/memory.ts'
import { startBlock } from './platform/pretty.ts'
import type { FirstSteps } from './wings/setup/index.ts'

const shutdownTimeoutMs = 15_000

// Files of this process are readable only by its own account.
process.umask(0o077)

try {
  const { config } = readConfig(process.env)
  const format = formatOf(config)
  const output = standardOutput(format)
  const log = openLog(config.SVC_LOG_LEVEL, output)
  const ground = await takeGround(config)
  // The database opens in a separate thread or process while this one loads the rest of the program.
  const opening = openDatabase({ url: config.SVC_DATABASE_URL, dataDir: config.SVC_DATA_DIR, log })
  opening.catch(() => undefined)
  const [{ compose, logFirstSteps }, { default: closeWithGrace }] = await Promise.all([
    import('./compose.ts'),
    import('close-with-grace'),
  ])
  let steps: FirstSteps = { ownerLink: null, tokenFile: null }
  const tellFirstSteps = (told: FirstSteps) => {
    if (format === 'json') logFirstSteps(log, told)
    else steps = told
  }
  const service = await compose(config, log, { opening, tellFirstSteps }, ground)
  closeWithGrace({ delay: shutdownTimeoutMs, logger: false }, async ({ signal, err }) => {
    if (err) log.fatal({ err }, 'unexpected error: the process ends')
    else log.info({ signal }, 'shutting down')
    await service.close()
    await output.settled()
  })
  if (format === 'json') log.info({ url: service.baseUrl, docs: `${service.baseUrl}/docs` }, 'Svc is ready')
  else process.stdout.write(startBlock('Svc is ready. Stop it with Ctrl-C.', rowsOf(config, steps)))
  giveBackMemoryWhenIdle()
} catch (error) {
  const lines = error instanceof ConfigError ? error.problems : [String(error instanceof Error ? error.message : error)]
  for (const line of lines) process.stderr.write(`svc: ${line}\n`)
  process.exit(1)
}

function formatOf({ SVC_LOG_FORMAT: format }: Config): LogFormat {
  if (format !== 'auto') return format
  return process.stdout.isTTY ? 'pretty' : 'json'
}

function rowsOf(config: Config, { ownerLink, tokenFile }: FirstSteps): [string, string][] {
  const baseUrl = baseUrlOf(config)
  const { SVC_HOST: host, SVC_METRICS_PORT: metricsPort, SVC_DATABASE_URL: url, SVC_DATA_DIR: dataDir } = config
  const rows: [string, string | null | undefined | false][] = [
    ['Dashboard', baseUrl],
    ['Create the owner', ownerLink && `${ownerLink}  (works once)`],
    ['API', `${baseUrl}/api/v1`],
    ['Docs', `${baseUrl}/docs`],
    ['Metrics', metricsPort !== undefined && `http://${host}:${metricsPort}/metrics`],
    ['Data', url ? 'on a PostgreSQL server' : resolve(dataDir)],
    ['Token for programs', tokenFile && `${resolve(tokenFile)}  (it can do everything)`],
  ]
  return rows.filter((row): row is [string, string] => !!row[1])
}
