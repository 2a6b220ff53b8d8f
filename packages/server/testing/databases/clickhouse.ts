import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inject } from 'vitest'
import { openClickHouse } from '../../src/platform/clickhouse.ts'
import type { Database } from '../../src/platform/db/index.ts'
import { clickHouseStore } from '../../src/wings/measuring/clickhouse/index.ts'
import { databaseStore, type MeasuredEvents } from '../../src/wings/measuring/events/index.ts'
import { withOrders } from '../../src/wings/measuring/orders/index.ts'
import { freePort } from '../processes/port.ts'
import { scratchFolder } from '../scratch.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Only in `npm run test:clickhouse`. */
    clickHouseUrl: string | undefined
  }
}

export interface ClickHouseProcess {
  url: string
  /** kill -9. */
  kill(): Promise<void>
  /** Starts again after `kill`, on the same folder and port. */
  start(): Promise<void>
  /** Ends it and deletes its folder. */
  stop(): Promise<void>
}

const startLimitMs = 120_000
const pollMs = 50

/** A separate ClickHouse on free ports of the loopback interface. */
export async function startClickHouse(): Promise<ClickHouseProcess> {
  const folder = await scratchFolder('svc-clickhouse')
  const [httpPort, tcpPort] = [await freePort(), await freePort()]
  const file = join(folder, 'config.xml')
  await writeFile(
    file,
    `<yandex>
      <logger><level>error</level><console>1</console></logger>
      <http_port>${httpPort}</http_port><tcp_port>${tcpPort}</tcp_port><listen_host>127.0.0.1</listen_host>
      <path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path>
      <users_config>users.xml</users_config><default_profile>default</default_profile>
      <default_database>default</default_database><mark_cache_size>67108864</mark_cache_size>
    </yandex>`,
  )
  await writeFile(
    join(folder, 'users.xml'),
    `<yandex>
      <profiles><default></default></profiles><quotas><default></default></quotas>
      <users><default><password></password><networks><ip>127.0.0.1</ip></networks>
        <profile>default</profile><quota>default</quota></default></users>
    </yandex>`,
  )
  const url = `http://127.0.0.1:${httpPort}`
  let server = await launch(file, folder, url)
  // An interrupted run must not leave a server behind.
  process.once('exit', () => server.kill('SIGKILL'))
  const kill = async () => {
    const exited = once(server, 'exit')
    if (server.kill('SIGKILL')) await exited
  }
  return {
    url,
    kill,
    async start() {
      server = await launch(file, folder, url)
    },
    async stop() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function launch(file: string, folder: string, url: string): Promise<ChildProcess> {
  const server = spawn('clickhouse-server', [`--config-file=${file}`], { cwd: folder, stdio: 'ignore' })
  const failed = once(server, 'exit').then(() => {
    throw new Error('ClickHouse stopped: node scripts/system.ts clickhouse installs it')
  })
  failed.catch(() => undefined)
  const answers = () =>
    fetch(`${url}/ping`)
      .then(({ ok }) => ok)
      .catch(() => false)
  const limit = performance.now() + startLimitMs
  while (!(await Promise.race([answers(), failed]))) {
    if (performance.now() > limit) throw new Error('ClickHouse did not start')
    await pause(pollMs)
  }
  return server
}

/** The address of an empty database, if the run is about ClickHouse. */
export async function clickHouseForTest(): Promise<string | undefined> {
  const url = inject('clickHouseUrl')
  if (!url) return undefined
  const name = `svc_test_${randomBytes(6).toString('hex')}`
  const client = openClickHouse(url)
  await client.command(`create database ${name}`)
  await client.close()
  return `${url}/${name}`
}

/** The store of a service with this database and this setting, with what orders give. */
export const eventStoreOn = (database: Database, clickHouseUrl: string | undefined): MeasuredEvents =>
  withOrders(
    clickHouseUrl ? clickHouseStore(openClickHouse(clickHouseUrl), database.db) : databaseStore(database),
    database.db,
  )
