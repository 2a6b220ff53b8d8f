import { mkdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeArchive } from '../backup/archive.ts'
import { dump } from '../backup/dump.ts'
import { fingerprintOf, formatNumber, type Manifest } from '../backup/manifest.ts'
import { readConfig } from '../config.ts'
import { systemClock } from '../platform/clock.ts'
import { signersWith } from '../platform/sign.ts'
import { version } from '../version.ts'
import { withProgress } from './progress.ts'
import { keyOf } from './secret-key-of.ts'
import { megabytes, withSource } from './source.ts'

/** `svc-server backup` */
export async function backUp(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { out: { type: 'string' }, 'with-secret-key': { type: 'boolean' } },
  })
  const { config } = readConfig(process.env)
  const key = await keyOf(config)
  const keyGoesAlong = values['with-secret-key'] === true
  if (keyGoesAlong && !key) throw new Error('--with-secret-key: there is no secret key yet.')
  const folder = resolve(values.out ?? '.')
  mkdirSync(folder, { recursive: true })
  const madeAt = systemClock()
  const path = join(folder, `svc-${stampOf(madeAt)}.tar.gz`)
  let manifest: Manifest | undefined
  await withProgress((watch) =>
    withSource(config, watch, (session, database) =>
      writeArchive(path, { madeAt, signer: key ? signersWith(key).backup : null }, async (writer) => {
        if (keyGoesAlong) await writer.secretKey(key!.toString('base64url'))
        const secretKey = key ? fingerprintOf(key) : null
        const about = { format: formatNumber, version, madeAt: madeAt.toISOString(), database, secretKey } as const
        manifest = await dump(session, writer, about, watch)
      }),
    ),
  )
  process.stdout.write(`${path}: ${contentsOf(manifest!)}, ${megabytes(statSync(path).size)} MB\n`)
  process.stderr.write(`${sayingOf(key, keyGoesAlong)}\n`)
}

function sayingOf(key: Buffer | undefined, keyGoesAlong: boolean): string {
  if (!key)
    return 'The backup is not signed, because there is no secret key here, so it can be restored only with --unsigned. To sign backups, set SVC_SECRET_KEY to the key of the service.'
  return keyGoesAlong
    ? 'The backup contains the secret key: whoever has the file can read every secret in it and change it unnoticed.'
    : 'The backup does not contain the secret key. Keep a copy of the key apart from your backups.'
}

export const contentsOf = ({ tables }: Pick<Manifest, 'tables'>): string => {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return `${tables.length} tables, ${rows.toLocaleString('en')} rows`
}

/** A moment as a part of a file's name. */
export const stampOf = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
