import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const keyOptions = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

export interface Certificate {
  key: string
  cert: string
}

/** A certificate authority in its own folder. A process trusts it with `NODE_EXTRA_CA_CERTS=<caPath>`. */
export interface Authority {
  folder: string
  caPath: string
  /** Issues a certificate for these names. It is expired if `days` is below zero. */
  issue(names: string[], days?: number): Promise<Certificate>
  /** Issues a certificate that is signed only with its own key. */
  issueSelfSigned(name: string): Promise<Certificate>
  remove(): Promise<void>
}

export async function makeAuthority(): Promise<Authority> {
  const folder = await mkdtemp(join(tmpdir(), 'outbound-ca-'))
  await selfSign(folder, 'ca', ['-subj', '/CN=Test authority', '-addext', 'keyUsage=critical,keyCertSign'])
  return openAuthority(folder)
}

/** Opens the authority that another process made in this folder. */
export function openAuthority(folder: string): Authority {
  let count = 0
  const nextName = () => {
    count += 1
    return `${process.pid}-${count}`
  }
  return {
    folder,
    caPath: join(folder, 'ca.pem'),
    issue: (names, days = 2) => sign(folder, nextName(), names, days),
    issueSelfSigned: (name) =>
      selfSign(folder, nextName(), ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function selfSign(folder: string, file: string, options: string[]): Promise<Certificate> {
  const paths = pathsOf(folder, file)
  await openssl(['req', '-x509', ...keyOptions, '-keyout', paths.key, '-out', paths.cert, '-days', '800', ...options])
  return await read(paths)
}

async function sign(folder: string, file: string, names: string[], days: number): Promise<Certificate> {
  const paths = pathsOf(folder, file)
  const authority = pathsOf(folder, 'ca')
  const [requestPath, extensionsPath] = [join(folder, `${file}.csr`), join(folder, `${file}.ext`)]
  await writeFile(extensionsPath, `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}\n`)
  await openssl(['req', '-new', ...keyOptions, '-keyout', paths.key, '-out', requestPath, '-subj', `/CN=${names[0]}`])
  const signing = [
    '-CA',
    authority.cert,
    '-CAkey',
    authority.key,
    '-set_serial',
    String(Date.now()),
    '-days',
    `${days}`,
  ]
  await openssl(['x509', '-req', '-in', requestPath, '-out', paths.cert, '-extfile', extensionsPath, ...signing])
  return await read(paths)
}

const pathsOf = (folder: string, file: string) => ({
  key: join(folder, `${file}.key`),
  cert: join(folder, `${file}.pem`),
})

const openssl = (parameters: string[]) => run('openssl', parameters)

const read = async ({ key, cert }: Certificate): Promise<Certificate> => ({
  key: await readFile(key, 'utf8'),
  cert: await readFile(cert, 'utf8'),
})
