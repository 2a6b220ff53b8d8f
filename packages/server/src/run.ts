import closeWithGrace from 'close-with-grace'
import { compose } from './compose.ts'
import { ConfigError, readConfig } from './config.ts'
import { openLog } from './platform/log.ts'

const shutdownTimeoutMs = 15_000

try {
  const { config, unused } = readConfig(process.env)
  const log = openLog(config.SVC_LOG_LEVEL)
  for (const name of unused) log.warn({ name }, 'this setting has no effect in this version')
  const service = await compose(config, log)
  closeWithGrace({ delay: shutdownTimeoutMs, logger: false }, async ({ signal, err }) => {
    if (err) log.fatal({ err }, 'an unexpected error ends the process')
    else log.info({ signal }, 'shutting down')
    await service.close()
  })
  await service.app.listen({ host: config.SVC_HOST, port: config.SVC_PORT })
  log.info({ url: service.baseUrl, docs: `${service.baseUrl}/docs` }, 'Svc is ready')
} catch (error) {
  const lines = error instanceof ConfigError ? error.problems : [String(error instanceof Error ? error.message : error)]
  for (const line of lines) process.stderr.write(`svc: ${line}\n`)
  process.exit(1)
}
