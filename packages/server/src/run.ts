import { ConfigError, readConfig } from './config.ts'
import { openDatabase } from './platform/db/index.ts'
import { openLog } from './platform/log.ts'
import { giveBackMemoryOfStart } from './platform/memory.ts'

const shutdownTimeoutMs = 15_000

try {
  const { config, unused } = readConfig(process.env)
  const log = openLog(config.SVC_LOG_LEVEL)
  for (const name of unused) log.warn({ name }, 'this setting has no effect in this version')
  // The database opens in a thread or process of its own, while this one reads the rest of the program.
  const opening = openDatabase({ url: config.SVC_DATABASE_URL, dataDir: config.SVC_DATA_DIR, log })
  opening.catch(() => undefined)
  const [{ compose }, { default: closeWithGrace }] = await Promise.all([
    import('./compose.ts'),
    import('close-with-grace'),
  ])
  const service = await compose(config, log, { opening })
  closeWithGrace({ delay: shutdownTimeoutMs, logger: false }, async ({ signal, err }) => {
    if (err) log.fatal({ err }, 'an unexpected error ends the process')
    else log.info({ signal }, 'shutting down')
    await service.close()
  })
  await service.app.listen({ host: config.SVC_HOST, port: config.SVC_PORT })
  log.info({ url: service.baseUrl, docs: `${service.baseUrl}/docs` }, 'Svc is ready')
  giveBackMemoryOfStart()
} catch (error) {
  const lines = error instanceof ConfigError ? error.problems : [String(error instanceof Error ? error.message : error)]
  for (const line of lines) process.stderr.write(`svc: ${line}\n`)
  process.exit(1)
}
