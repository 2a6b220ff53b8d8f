import type { Logger } from 'pino'
import { type Config, ConfigError } from '../../config.ts'
import type { Platform } from '../../open-platform.ts'
import { systemClock } from '../../platform/clock.ts'
import { systemActor } from '../../platform/outbox.ts'
import { initialTokenIn } from '../../platform/secret-key.ts'
import { hasOrganizations } from '../people/accounts/index.ts'
import { deleteOwnerLinks, linkUrl, renewOwnerLink } from '../people/links/index.ts'
import { firstStart, type Provisioning, provision, readProvisioning } from './provisioning/index.ts'

export type { Provisioning }

/** Reads the provisioning file of the settings. Throws a ConfigError that lists every problem in it. */
export async function readGiven(
  { SVC_BOOTSTRAP_FILE: path }: Config,
  now: Date = systemClock(),
): Promise<Provisioning | undefined> {
  if (!path) return undefined
  const result = await readProvisioning(path, now)
  if ('provisioning' in result) return result.provisioning
  throw new ConfigError(result.problems.map((problem) => `SVC_BOOTSTRAP_FILE: ${problem}`))
}

/** What the operator of an empty service needs next; null if it is not needed or not available. */
export interface FirstSteps {
  /** Works once. No other secret is ever shown or logged. */
  ownerLink: string | null
  /** The file with a token that has all scopes. */
  tokenFile: string | null
}

/** Applies the provisioning file. Without one, an empty service gets its first token and the link for its owner. */
export async function setUp(platform: Platform, given: Provisioning | undefined): Promise<FirstSteps> {
  const { db, config, authorOf } = platform
  const first = given ? undefined : await welcome(platform)
  const file = given ?? first?.file
  if (file) await provision(db, authorOf(systemActor('provisioning')), file)
  if (given) await deleteOwnerLinks(db)
  // If a worker restarts, the link that another node has shown must keep working.
  const invites = !given && config.SVC_ROLE !== 'worker'
  return { ownerLink: invites ? await inviteOwner(platform) : null, tokenFile: first?.path ?? null }
}

export function logFirstSteps(log: Logger, { ownerLink, tokenFile }: FirstSteps): void {
  if (tokenFile)
    log.info({ path: tokenFile }, 'first start: this file contains a token with all scopes; see /docs/quickstart')
  if (ownerLink)
    log.warn(
      { link: ownerLink },
      'open this link to create the owner (it works once, for a day; a restart creates a new link)',
    )
}

/**
 * Gives an empty embedded service without a provisioning file a token for programs, in a file. On a PostgreSQL server,
 * nodes share no folder, so the owner creates the tokens.
 */
async function welcome({ database, config, now }: Platform): Promise<{ file: Provisioning; path: string } | undefined> {
  if (database.kind === 'server' || (await hasOrganizations(database.db))) return undefined
  const { path, secret } = await initialTokenIn(config.SVC_DATA_DIR)
  return { file: firstStart(secret, now()), path }
}

/** While the service has no owner, each start creates a link that ends those of earlier starts. */
async function inviteOwner({ db, baseUrl, now }: Platform): Promise<string | null> {
  const created = await renewOwnerLink(db, now())
  return created ? linkUrl(baseUrl, 'OWNER', created.secret) : null
}
