import { isDeepStrictEqual } from 'node:util'
import { notFound, type Refusal } from '../../../catalogue/refusals.ts'
import { type IfMatch, versionEtag } from '../../../http/etag.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { Author } from '../../../platform/outbox.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import {
  lockOrganization,
  type OrganizationContent,
  type OrganizationRow,
  saveFeatures,
  saveOrganization,
} from './queries.ts'

export const organizationEtag = ({ version }: OrganizationRow): string => versionEtag('organization', version)

export async function updateOrganization(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  orgId: string,
  edit: { [Field in keyof OrganizationContent]?: OrganizationContent[Field] | undefined },
): Promise<OrganizationRow | Refusal> {
  return inTransaction(db, async (tx) => {
    const current = await lockOrganization(tx, orgId)
    if (!current) return notFound('Organization')
    const failed = ifMatch(organizationEtag(current))
    if (failed) return failed
    const { name, notifications, quietHours, digestAt, digestTimezone } = current
    const before = { name, notifications, quietHours, digestAt, digestTimezone }
    const given = Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined))
    const after: OrganizationContent = { ...before, ...given }
    if (isDeepStrictEqual(before, after)) return current
    await saveOrganization(tx, orgId, after, by.now)
    await by.record(tx, {
      orgId,
      projectId: null,
      action: 'organization.update',
      object: { type: 'organization', id: orgId, name: after.name },
      before,
      after,
    })
    return { ...current, ...after, version: current.version + 1 }
  })
}

/** Turns features of the organization on or off, and keeps the others. */
export async function switchFeatures(
  tx: Tx,
  by: Author,
  orgId: string,
  features: readonly string[],
  to: 'on' | 'off',
): Promise<void> {
  const current = await lockOrganization(tx, orgId)
  if (!current) return
  const others = current.features.filter((feature) => !features.includes(feature))
  const before = { features: current.features }
  const after = { features: to === 'off' ? others : [...new Set([...current.features, ...features])] }
  if (isDeepStrictEqual(before, after)) return
  await saveFeatures(tx, orgId, after.features, by.now)
  await by.record(tx, {
    orgId,
    projectId: null,
    action: 'organization.update',
    object: { type: 'organization', id: orgId, name: current.name },
    before,
    after,
  })
}
