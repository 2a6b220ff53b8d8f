import { z } from 'zod'
import { isRefusal, notFound, type Refusal } from '../../../../catalogue/refusals.ts'
import type { PersonRoute } from '../../../../http/person-route.ts'
import type { Db } from '../../../../platform/db/index.ts'
import { type Authors, systemActor } from '../../../../platform/outbox.ts'
import type { Signers } from '../../../../platform/sign.ts'
import { inTransaction } from '../../../../platform/transaction.ts'
import { findOrganization } from '../../../people/organizations/index.ts'
import { agreeToMail } from '../actions.ts'
import { type Asked, askedBy } from './link.ts'

export interface ConfirmationContext {
  db: Db
  signers: Signers
  authorOf: Authors
  now: () => Date
}

const secretMaxLength = 600

/** The page behind the link in a mail that asks whether an address wants mail of an organization. */
export function confirmationRoutes(route: PersonRoute, { db, signers, authorOf, now }: ConfirmationContext): void {
  const open = {
    method: 'POST',
    tag: 'Destination',
    access: 'anyone',
    body: z.strictObject({ link: z.string().max(secretMaxLength) }),
    refusals: ['not_found'],
  } as const

  route({
    ...open,
    url: '/api/dashboard/mail-addresses/check',
    operationId: 'checkMailAddress',
    summary: 'Get what a confirmation link asks',
    data: z.object({ email: z.string(), organization: z.string() }),
    async handle({ body: { link } }) {
      const found = await foundBy(link)
      return isRefusal(found) ? found : { data: { email: found.email, organization: found.organization } }
    },
  })

  route({
    ...open,
    url: '/api/dashboard/mail-addresses/confirm',
    operationId: 'confirmMailAddress',
    summary: 'Agree to mail of an organization',
    data: z.null(),
    async handle({ body: { link } }) {
      const found = await foundBy(link)
      if (isRefusal(found)) return found
      const by = authorOf(systemActor('confirmation link'))
      const agreed = await inTransaction(db, (tx) => agreeToMail(tx, by, found, found.organization))
      return agreed ?? { data: null }
    },
  })

  async function foundBy(link: string): Promise<(Asked & { organization: string }) | Refusal> {
    const asked = askedBy(signers.confirmation, link, now())
    const organization = asked && (await findOrganization(db, asked.orgId))
    return organization ? { ...asked!, organization: organization.name } : notFound('Link')
  }
}
