import { parseArgs } from 'node:util'
import { planFeatures } from '../catalogue/scopes.ts'
import { systemClock } from '../platform/clock.ts'
import { authors, systemActor } from '../platform/outbox.ts'
import { listOrganizations, type OrganizationRow, switchFeatures } from '../wings/people/organizations/index.ts'
import { organizationOf, withDatabase } from './existing-database.ts'

/** `svc-server organizations list` */
export async function printOrganizations(args: string[]): Promise<void> {
  parseArgs({ args })
  await withDatabase(async ({ db }) => {
    for (const organization of await listOrganizations(db)) process.stdout.write(`${organizationLine(organization)}\n`)
  })
}

const organizationLine = ({ shortId, id, name, features }: OrganizationRow): string =>
  `${shortId} ${id} ${JSON.stringify(name)}: ${features.join(', ') || 'no features'}`

/** `svc-server organizations enable` and `disable` */
export async function switchFeature(args: string[], to: 'on' | 'off'): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const [organization, feature, ...more] = positionals
  if (organization === undefined || feature === undefined || more.length > 0)
    throw new Error(
      `an organization and a feature are required: svc-server organizations ${verbs[to]} 1 ${planFeatures[0]}`,
    )
  if (!planFeatures.some((known) => known === feature))
    throw new Error(`there is no feature ${feature}. Use ${planFeatures.join(' or ')}.`)
  await withDatabase(async ({ db }, { SVC_BOOTSTRAP_FILE: file }) => {
    const orgId = await organizationOf(db, organization)
    const by = authors([], systemClock)(systemActor('operator'))
    await db.transaction().execute((tx) => switchFeatures(tx, by, orgId, [feature], to))
    const changed = (await listOrganizations(db)).find(({ id }) => id === orgId)
    if (changed) process.stdout.write(`${organizationLine(changed)}\n`)
    if (to === 'off' && file !== undefined)
      process.stderr.write(`If ${file} lists the feature for this organization, the next start turns it on again.\n`)
  })
}

const verbs = { on: 'enable', off: 'disable' }
