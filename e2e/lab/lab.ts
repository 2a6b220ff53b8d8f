import { spawn } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Authority,
  makeAuthority,
  openAuthority,
} from '../../packages/server/src/platform/outbound/testing/certificates.ts'
import { scratchFolder } from '../../packages/server/testing/scratch.ts'
import { cleanEnvironment, root } from '../service.ts'

const enter = fileURLToPath(new URL('enter.sh', import.meta.url))
const folderName = 'LAB_FOLDER'
const dataName = 'LAB_DATA'

/** Reached only when something hangs. */
export const labLimitMs = 1_800_000

/** Addresses that exist only in the lab: two public ones, and those that must never be connected to. */
export const publicAddress = '93.184.216.34'
export const otherPublicAddress = '93.184.216.35'
export const morePublicAddresses = Array.from({ length: 10 }, (_, index) => `93.184.216.${36 + index}`)
export const forbiddenAddresses = ['127.0.0.1', '10.0.0.1', '169.254.169.254']

/** A name in `/etc/hosts` of the lab, at the first public address. */
export const fixedName = 'fixed.example.test'

/**
 * Runs a TypeScript file (its path from the root of the repository) in the lab and returns its report. Every process in
 * the lab trusts the authority of `labAuthority`. Needs Linux, and root or user namespaces.
 */
export async function runInLab<Report>(script: string, settings: Record<string, string> = {}): Promise<Report> {
  const authority = await makeAuthority()
  const data = await scratchFolder('svc-lab')
  try {
    await writeFile(join(authority.folder, 'resolv.conf'), 'nameserver 127.0.0.1\noptions timeout:1 attempts:2\n')
    const hosts = `${await readFile('/etc/hosts', 'utf8')}\n${publicAddress} ${fixedName}\n`
    await writeFile(join(authority.folder, 'hosts'), hosts)
    const output = await run(script, {
      ...settings,
      NODE_EXTRA_CA_CERTS: authority.caPath,
      [folderName]: authority.folder,
      [dataName]: data,
    })
    return JSON.parse(output) as Report
  } finally {
    await authority.remove()
    await rm(data, { recursive: true, force: true })
  }
}

/** Inside the lab: the certificate authority that its processes trust. */
export const labAuthority = (): Authority => openAuthority(folderIn(folderName))

/** Inside the lab: the folder for databases, which is deleted with the lab. */
export const labData = (): string => folderIn(dataName)

/** Inside the lab: a data folder whose database has its schema, but no rows. A copy of it starts faster than nothing. */
export const labTemplate = (): string => folderIn('LAB_TEMPLATE')

function folderIn(name: string): string {
  const folder = process.env[name]
  if (!folder) throw new Error('this program runs in the lab: start it with runInLab')
  return folder
}

/** Inside the lab: sends the report to the test and ends. Call it once, with everything that was seen. */
export function report(seen: unknown): void {
  process.stdout.write(JSON.stringify(seen), () => process.exit())
}

function run(script: string, settings: Record<string, string>): Promise<string> {
  // A process namespace, so that killing the lab kills everything in it.
  const namespaces = [
    '--net',
    '--mount',
    '--pid',
    '--kill-child',
    ...(process.getuid?.() === 0 ? [] : ['--map-root-user']),
  ]
  const child = spawn('unshare', [...namespaces, enter, settings[folderName]!, process.execPath, script], {
    cwd: root,
    env: cleanEnvironment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: labLimitMs,
    killSignal: 'SIGKILL',
  })
  let [printed, complaint] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text
  })
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`the lab needs unshare (Linux, util-linux): ${error.message}`)))
    child.once('close', (code, signal) => {
      if (code === 0) resolve(printed)
      else reject(new Error(`${script} ended in the lab with ${code ?? signal}:\n${complaint}${printed}`))
    })
  })
}
