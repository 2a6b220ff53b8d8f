import { existsSync, statfsSync, statSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { dataFolderProblem } from '../platform/data-folder.ts'
import { checked, type Finding, found } from './finding.ts'
import { localUrl, readiness } from './readiness.ts'

const othersBits = 0o077
const slowSyncMs = 100
const smallRoomBytes = 1024 ** 3
const noRoomBytes = 64 * 1024 ** 2
const answerLimitMs = 5_000

/** Checks everything around the database. */
export async function checkSurroundings(config: Config): Promise<Finding[]> {
  const { isReady, isRunning, text } = await readiness(config)
  const service = isReady
    ? found('service', 'ok', `It is ready at ${localUrl(config)}.`)
    : isRunning
      ? found('service', 'failed', `It is ${text}`, 'Read its log.')
      : found('service', 'ok', 'It is not running here.')
  const folder = config.SVC_DATABASE_URL ? [] : await checkFolder(config)
  const others = await Promise.all([
    checkRedis(config),
    checkClickHouse(config),
    checkMail(config),
    checkBaseUrl(config, isRunning),
  ])
  return [service, ...folder, ...others.filter((each) => each !== undefined)]
}

async function checkFolder({ SVC_DATA_DIR: dataDir }: Config): Promise<Finding[]> {
  const path = resolve(dataDir)
  const problem = await dataFolderProblem(dataDir)
  if (problem)
    return [found('data folder', 'failed', `SVC_DATA_DIR${problem}`, 'Set SVC_DATA_DIR to a folder of your own.')]
  if (!existsSync(path)) return [found('data folder', 'ok', `${path} does not exist yet. The first start creates it.`)]
  return [checkModes(path), await checkSync(path), checkRoom(path)]
}

function checkModes(path: string): Finding {
  const { mode, uid } = statSync(path)
  if (uid !== process.getuid?.())
    return found(
      'data folder',
      'warning',
      `${path} belongs to another account (uid ${uid}).`,
      'Run this command as the account of the service.',
    )
  return mode & othersBits
    ? found(
        'data folder',
        'warning',
        `${path} is open to other accounts.`,
        `Run chmod -R go= ${path}, or start the service, which does it.`,
      )
    : found('data folder', 'ok', `${path} is closed to other accounts.`)
}

/** Some network and overlay file systems refuse to sync or take very long. */
const checkSync = (path: string): Promise<Finding> =>
  checked('disk sync', 'Put the data folder on a local disk.', async () => {
    const folder = await mkdtemp(join(path, 'doctor-'))
    try {
      const file = await open(join(folder, 'sync'), 'w')
      await file.writeFile('synced?')
      const begun = performance.now()
      await file.sync().finally(() => file.close())
      const ms = Math.round(performance.now() - begun)
      return ms > slowSyncMs
        ? found('disk sync', 'warning', `A sync took ${ms} ms, and every write waits for one.`, 'Use a faster disk.')
        : found('disk sync', 'ok', `A sync took ${ms} ms.`)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

function checkRoom(path: string): Finding {
  const { bavail, bsize } = statfsSync(path)
  const bytes = bavail * bsize
  const text = `${Math.floor(bytes / 1024 ** 2).toLocaleString('en')} MB are free at ${path}.`
  if (bytes < noRoomBytes) return found('disk space', 'failed', text, 'Free disk space: the database cannot write.')
  return bytes < smallRoomBytes
    ? found('disk space', 'warning', text, 'Free disk space before the database is unable to write.')
    : found('disk space', 'ok', text)
}

const checkRedis = async ({ SVC_REDIS_URL: url }: Config): Promise<Finding | undefined> =>
  url === undefined
    ? undefined
    : checked('redis', 'Until it answers, each node counts rate limits by itself. Check SVC_REDIS_URL.', async () => {
        const { connectRedis } = await import('../platform/redis.ts')
        const { client, trouble, close } = await connectRedis(url)
        try {
          const problem = trouble()
          if (problem) throw new Error(problem)
          await client.ping()
          return found('redis', 'ok', 'It answers.')
        } finally {
          close()
        }
      })

const checkClickHouse = async ({ SVC_CLICKHOUSE_URL: url }: Config): Promise<Finding | undefined> =>
  url === undefined
    ? undefined
    : checked('clickhouse', 'Until it answers, events wait in the SDKs. Check SVC_CLICKHOUSE_URL.', async () => {
        const { openClickHouse } = await import('../platform/clickhouse.ts')
        const clickHouse = openClickHouse(url)
        try {
          await clickHouse.read('select 1')
          return found('clickhouse', 'ok', 'It answers.')
        } finally {
          await clickHouse.close()
        }
      })

const checkMail = async ({ SVC_SMTP_URL: url }: Config): Promise<Finding | undefined> =>
  url === undefined
    ? undefined
    : checked('mail', 'Check SVC_SMTP_URL. Until it works, people do not get links.', async () => {
        const { signInToMail } = await import('../platform/mail.ts')
        await signInToMail(url)
        return found('mail', 'ok', 'The mail server accepts the sign-in. No mail was sent.')
      })

const loopback = new Set(['127.0.0.1', '::1', 'localhost'])

function checkBaseUrl(config: Config, isRunning: boolean): Finding | Promise<Finding> {
  const { SVC_BASE_URL: baseUrl, SVC_HOST: host } = config
  if (baseUrl === undefined)
    return loopback.has(host)
      ? found('base URL', 'ok', 'It is not set, and the service only listens on this machine.')
      : found('base URL', 'warning', `It is not set, so links point to ${localUrl(config)}.`, 'Set SVC_BASE_URL.')
  if (!isRunning) return found('base URL', 'ok', `${baseUrl} was not checked, because the service is not running.`)
  return checked('base URL', 'Check SVC_BASE_URL, the reverse proxy and its certificate.', async () => {
    const response = await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(answerLimitMs) }).catch(
      (error: Error & { cause?: { code?: string; message?: string } }) => {
        throw new Error(`${baseUrl} does not answer: ${error.cause?.code ?? error.cause?.message ?? error.message}`)
      },
    )
    const body = await response.json().catch(() => undefined)
    if (!response.ok || (body as { status?: string } | undefined)?.status !== 'ok')
      throw new Error(`${baseUrl}/healthz answers with status ${response.status}, but not like this service`)
    return found('base URL', 'ok', `${baseUrl} leads to the service, seen from this machine.`)
  })
}
