import type { FastifyRequest } from 'fastify'
import { originOf } from '../../../../http/credentials.ts'
import { ingestPrefix } from '../../../../platform/ids.ts'
import { together } from '../../../../platform/together.ts'
import type { IngestKeyRequirement } from '../../../model/environments/index.ts'
import { hashOf, isSecret } from '../../../people/tokens/index.ts'
import type { DataFileStore, EnvironmentKeys } from '../../../serving/datafile/index.ts'
import type { Usage } from '../../../serving/heartbeat/index.ts'
import { ingestKeyIn } from './requirement.ts'

/** What a request says about who sends it. */
export interface Sender {
  authorization: string | undefined
  ip: string
  userAgent: string | null
}

export const senderOf = (request: FastifyRequest): Sender => ({
  authorization: request.headers.authorization,
  ...originOf(request),
})

/** Which events of a request are rejected, because it has no ingest key. */
export interface Admission {
  lacksKeyFor: IngestKeyRequirement
}

/** Looks at the ingest keys of requests. */
export interface IngestKeys {
  /**
   * Undefined if the request has a key that is not one of the environment. Only a key that has the form of one and is
   * not in memory costs a read of the database: a different node can have just made it. Requests that come during a read
   * of an environment share the next one. Rejects if the database is unavailable.
   */
  admit(envId: string, sender: Sender): Promise<Admission | undefined>
  /** From memory alone. A key that is not one of the environment is as good as none. */
  admitKnown(envId: string, sender: Sender): Admission
}

interface Context {
  dataFiles: Pick<DataFileStore, 'ingestRule' | 'keep'>
  usage: Pick<Usage, 'usedIngestKey'>
  /** Reads the keys of an environment from the database. */
  load: (envId: string) => Promise<EnvironmentKeys | undefined>
}

export function ingestKeys({ dataFiles, usage, load }: Context): IngestKeys {
  const keyOf = (envId: string, secret: string) => {
    if (!isSecret(secret, ingestPrefix)) return undefined
    const secretHash = hashOf(secret).toString('hex')
    return dataFiles.ingestRule(envId)?.keys.find(({ hash }) => hash === secretHash)
  }

  const read = together<string>(async (envId) => {
    const keys = await load(envId)
    if (keys) dataFiles.keep(keys)
  })

  async function readKeyOf(envId: string, secret: string) {
    if (!isSecret(secret, ingestPrefix)) return undefined
    await read(envId, secret)
    return keyOf(envId, secret)
  }

  // An environment that is not in memory is being deleted.
  const without = (envId: string): Admission => ({ lacksKeyFor: dataFiles.ingestRule(envId)?.requiredFor ?? 'ALL' })

  const admitted = (keyId: string, { ip, userAgent }: Sender): Admission => {
    usage.usedIngestKey({ keyId, ip, userAgent })
    return { lacksKeyFor: 'NONE' }
  }

  return {
    async admit(envId, sender) {
      const secret = ingestKeyIn(sender.authorization)
      if (secret === undefined) return without(envId)
      const key = keyOf(envId, secret) ?? (await readKeyOf(envId, secret))
      return key && admitted(key.id, sender)
    },
    admitKnown(envId, sender) {
      const secret = ingestKeyIn(sender.authorization)
      const key = secret === undefined ? undefined : keyOf(envId, secret)
      return key ? admitted(key.id, sender) : without(envId)
    },
  }
}
