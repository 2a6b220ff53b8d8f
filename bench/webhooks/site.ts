import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { makeAuthority } from '../../packages/server/src/platform/outbound/testing/certificates.ts'
import { startCluster } from '../../packages/server/testing/databases/postgres.ts'

/** A PostgreSQL server and a real HTTPS receiver, for contenders in their own processes. */
export interface Site {
  /** Runs a program of this folder with the arguments, the receiver's port and the server's URL. Returns its JSON. */
  measure<Result>(program: string, args: readonly string[]): Promise<Result>
}

export async function withSite(work: (site: Site) => Promise<void>): Promise<void> {
  const authority = await makeAuthority()
  const cluster = await startCluster()
  const certificate = await authority.issue(['localhost'])
  const receiver = spawn(process.execPath, [pathOf('receiver.ts')], {
    env: { ...process.env, BENCH_KEY: certificate.key, BENCH_CERT: certificate.cert },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [port] = await once(receiver.stdout!.setEncoding('utf8'), 'data')
    await work({
      async measure(program, args) {
        const child = spawn(process.execPath, [pathOf(program), ...args, String(port).trim(), cluster.url], {
          env: { ...process.env, NODE_EXTRA_CA_CERTS: authority.caPath },
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        let text = ''
        child.stdout!.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        const [code] = await once(child, 'close')
        if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`)
        return JSON.parse(text)
      },
    })
  } finally {
    receiver.kill()
    await cluster.stop()
    await authority.remove()
  }
}

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
