import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { freePort } from '../../packages/server/testing/processes/port.ts'

/** unleash-server by its admin API. No one has to sign in, which saves it a look-up that the product makes. */
export interface Unleash {
  create(key: string): Promise<unknown>
  /** Serves the flag to the visitors of a constraint. */
  addRule(key: string): Promise<unknown>
  switch(key: string, enabled: boolean): Promise<unknown>
  close(): Promise<void>
}

const startLimitMs = 60_000
const project = '/api/admin/projects/default'
const environment = 'development'

/** Opens it on its own database; undefined if it is not installed. */
export async function openUnleash(databaseUrl: string, connections: number): Promise<Unleash | undefined> {
  const program = fileURLToPath(new URL('peers/node_modules/unleash-server/dist/server.js', import.meta.url))
  if (!existsSync(program)) return undefined
  const port = await freePort()
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      DATABASE_SSL: 'false',
      HTTP_HOST: '127.0.0.1',
      PORT: String(port),
      AUTH_TYPE: 'none',
      CHECK_VERSION: 'false',
      SEND_TELEMETRY: 'false',
      LOG_LEVEL: 'error',
      // The same number as in the product; its default is 4.
      DATABASE_POOL_MAX: '10',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections })
  const call = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const headers = body ? { 'content-type': 'application/json' } : {}
    const answer = await pool.request({ method, path, headers, body: body ? JSON.stringify(body) : null })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`unleash: ${method} ${path}: ${answer.statusCode} ${text}`)
  }
  await untilReady(() => call('GET', '/health'))
  const ofFlag = (key: string) => `${project}/features/${key}/environments/${environment}`
  return {
    create: (key) => call('POST', `${project}/features`, { name: key, type: 'release', description: `Flag ${key}` }),
    addRule: (key) =>
      call('POST', `${ofFlag(key)}/strategies`, {
        name: 'flexibleRollout',
        constraints: [{ contextName: 'country', operator: 'IN', values: ['NL', 'BE', 'LU'] }],
        parameters: { rollout: '50', stickiness: 'default', groupId: key },
      }),
    switch: (key, enabled) => call('POST', `${ofFlag(key)}/${enabled ? 'on' : 'off'}`),
    async close() {
      await pool.close()
      const exited = once(child, 'exit')
      child.kill()
      await exited
    },
  }
}

async function untilReady(ask: () => Promise<unknown>): Promise<void> {
  const untilMs = performance.now() + startLimitMs
  for (;;) {
    try {
      return void (await ask())
    } catch (error) {
      if (performance.now() > untilMs) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
