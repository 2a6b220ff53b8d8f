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

/** Applies the provisioning file; without one, an empty service gets its first token and its owner's link. */
export async function setUp(platform: Platform, given: Provisioning | undefined): Promise<void> {
  const { db, database, config, log, authorOf } = platform
  const file = given ?? (await welcome(database, config, log))
  if (file) await provision(db, authorOf(systemActor('provisioning')), file)
  if (given) await deleteOwnerLinks(db)
  else await inviteOwner(platform)
}

/**
 * An empty embedded service without a provisioning file starts with one token in a file, for programs. On a server
 * nodes share no folder: there the owner makes the tokens.
 */
async function welcome(database: Database, config: Config, log: Logger): Promise<Provisioning | undefined> {
  if (database.kind === 'server' || (await hasOrganizations(database.db))) return undefined
  const { path, secret } = await initialTokenIn(config.SVC_DATA_DIR)
  log.info({ path }, 'first start: the file holds a token for everything, see /docs/quickstart')
  return firstStart(secret)
}

/** The only secret that is ever logged: while the service has no owner, each start prints a link that ends the last. */
async function inviteOwner({ db, baseUrl, now, log }: Platform): Promise<void> {
  const created = await renewOwnerLink(db, now())
  if (!created) return
  log.warn({ link: linkUrl(baseUrl, 'OWNER', created.secret) }, 'open this link to create the owner; it works once')
}
