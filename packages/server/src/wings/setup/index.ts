import type { Logger } from 'pino'
import { type Config, ConfigError } from '../../config.ts'
import type { Platform } from '../../open-platform.ts'
import { systemClock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/index.ts'
import { systemActor } from '../../platform/outbox.ts'
import { initialTokenIn } from '../../platform/secret-key.ts'
import { hasOrganizations } from '../people/accounts/index.ts'
import { deleteOwnerLinks, linkUrl, renewOwnerLink } from '../people/links/index.ts'
import { firstStart, type Provisioning, provision, readProvisioning } from './provisioning/index.ts'

export type { Provisioning }

/** The provisioning file that the settings name. Throws a ConfigError with every problem in it. */
export async function readGiven(
  { SVC_BOOTSTRAP_FILE: path }: Config,
  now: Date = systemClock(),
): Promise<Provisioning | undefined> {
  if (!path) return undefined
  const result = await readProvisioning(path, now)
  if ('provisioning' in result) return result.provisioning
  throw new ConfigError(result.problems.map((problem) => `SVC_BOOTSTRAP_FILE: ${problem}`))
}

/** What whoever starts an empty service needs; null: not any more, or not here. */
export interface FirstSteps {
  /** Works once. The only secret that is ever shown or logged. */
  ownerLink: string | null
  /** The file of a token for everything. */
  tokenFile: string | null
}

/** Applies the provisioning file; without one, an empty service gets its first token and its owner's link. */
export async function setUp(platform: Platform, given: Provisioning | undefined): Promise<FirstSteps> {
  const { db, database, config, authorOf } = platform
  const first = given ? undefined : await welcome(database, config)
  const file = given ?? first?.file
  if (file) await provision(db, authorOf(systemActor('provisioning')), file)
  if (given) await deleteOwnerLinks(db)
  // A worker's restart must not end the link that another node has shown.
  const invites = !given && config.SVC_ROLE !== 'worker'
  return { ownerLink: invites ? await inviteOwner(platform) : null, tokenFile: first?.path ?? null }
}

export function logFirstSteps(log: Logger, { ownerLink, tokenFile }: FirstSteps): void {
  if (tokenFile)
    log.info({ path: tokenFile }, 'first start: this file contains a token with all scopes, see /docs/quickstart')
  if (ownerLink) log.warn({ link: ownerLink }, 'open this link to create the owner (it works once)')
}

/**
 * An empty embedded service without a provisioning file starts with one token in a file, for programs. On a server
 * nodes share no folder: there the owner makes the tokens.
 */
async function welcome(database: Database, config: Config): Promise<{ file: Provisioning; path: string } | undefined> {
  if (database.kind === 'server' || (await hasOrganizations(database.db))) return undefined
  const { path, secret } = await initialTokenIn(config.SVC_DATA_DIR)
  return { file: firstStart(secret), path }
}

/** While the service has no owner, each start makes a link that ends the last. */
async function inviteOwner({ db, baseUrl, now }: Platform): Promise<string | null> {
  const created = await renewOwnerLink(db, now())
  return created ? linkUrl(baseUrl, 'OWNER', created.secret) : null
}
