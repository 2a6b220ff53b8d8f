import { z } from 'zod'
import { refusesFigures } from '../../../catalogue/figures.ts'
import { isRefusal } from '../../../catalogue/refusals.ts'
import { type Caller, isAdministrator } from '../../../http/credentials.ts'
import type { PersonRoute } from '../../../http/person-route.ts'
import type { Route } from '../../../http/route.ts'
import type { Mailer } from '../../../platform/mail.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { everySafetyEvent } from '../destinations/index.ts'
import { isOver, type LinkContext, mailingOf, saveSubscriptions, unsubscribe } from './actions.ts'
import { linkPattern, unsubscribePage } from './link.ts'
import { type OwnMail, projectsWithMail } from './queries.ts'
import { mailingSchema, subscriptionsBody, subscriptionsSchema } from './schema.ts'

export interface SubscriptionsContext extends LinkContext {
  baseUrl: string
  /** Null if this service sends no mail. */
  mailer: Mailer | null
}

export function subscriptionRoutes(route: Route, { db, seal, mailer }: SubscriptionsContext): void {
  const one = {
    url: '/api/dashboard/me/subscriptions',
    tag: 'Profile',
    access: 'session',
    scope: null,
    data: subscriptionsSchema,
  } as const

  route({
    ...one,
    method: 'GET',
    operationId: 'listMySubscriptions',
    summary: 'List your mail notifications',
    description:
      'Returns an item for each project of the organization that you can see. Owners and administrators who chose nothing get safety events.',
    handle: async ({ caller }) => ({ data: await shown(caller) }),
  })

  route({
    ...one,
    method: 'PUT',
    operationId: 'replaceMySubscriptions',
    summary: 'Choose your mail notifications',
    description:
      'Your choice is visible only to you. Digests wait for the times of the organization; safety events never wait.',
    body: subscriptionsBody,
    async prepare({ caller, body }) {
      const refusals = body.subscriptions.map(({ events }, index) =>
        events === everySafetyEvent ? undefined : refusesFigures(events, caller, ['subscriptions', index, 'events']),
      )
      return refusals.find((refusal) => refusal !== undefined)
    },
    async handle({ caller, by, body }) {
      const subscriber = { orgId: caller.organization.id, user: caller.user!, seen: seenBy(caller) }
      const saved = await inTransaction(db, (tx) => saveSubscriptions(tx, seal, by, subscriber, body.subscriptions))
      return isRefusal(saved) ? saved : { data: await shown(caller) }
    },
  })

  async function shown(caller: Caller) {
    const { id: userId, email } = caller.user!
    const projects = await projectsWithMail(db, { orgId: caller.organization.id, userId }, seenBy(caller))
    const byRole: ShownEvents = mailer && isAdministrator(caller) ? everySafetyEvent : []
    return {
      sendsMail: mailer !== null,
      email,
      byRole,
      subscriptions: projects.map(({ project, mail }) => ({
        projectId: project.id,
        project,
        ...choiceOf(mail, byRole),
      })),
    }
  }
}

const seenBy = ({ projects }: Pick<Caller, 'projects'>): readonly string[] | null => projects && [...projects]

type ShownEvents = typeof everySafetyEvent | string[]

function choiceOf(mail: OwnMail | null, byRole: ShownEvents) {
  if (!mail?.isChosen)
    return { events: byRole, digest: 'NONE' as const, isDefault: true, disableReason: mail?.disableReason ?? null }
  const { events, digest, disableReason } = mail
  return {
    events: (events.includes(everySafetyEvent) ? everySafetyEvent : [...events]) as ShownEvents,
    digest,
    isDefault: false,
    disableReason,
  }
}

export function unsubscribeRoutes(route: PersonRoute, context: SubscriptionsContext): void {
  const params = { link: z.string().regex(linkPattern) }
  const one = { url: '/api/dashboard/unsubscribe/:link', tag: 'Unsubscribe', access: 'anyone', params } as const
  const refusals = ['not_found'] as const

  route({
    ...one,
    method: 'GET',
    operationId: 'openUnsubscribePage',
    summary: 'Open the page to unsubscribe from mail',
    description: 'Changes nothing, because mail programs open links too.',
    openQuery: true,
    data: z.null(),
    handle: async ({ params: { link }, redirect }) => redirect(unsubscribePage(context.baseUrl, link)),
  })

  route({
    ...one,
    method: 'POST',
    operationId: 'unsubscribe',
    summary: 'Unsubscribe from mail with one click',
    description:
      'For mail programs, by [RFC 8058](https://www.rfc-editor.org/rfc/rfc8058). The address is in the header `List-Unsubscribe` of each mail. The body is not read.',
    isOneClick: true,
    data: z.null(),
    refusals,
    handle: async ({ params: { link } }) => (await unsubscribe(context, link)) ?? { data: null },
  })

  route({
    method: 'GET',
    url: '/api/dashboard/mailings/:link',
    operationId: 'getMailing',
    summary: 'Get what an unsubscribe link ends',
    tag: 'Unsubscribe',
    access: 'anyone',
    params,
    data: mailingSchema,
    refusals,
    async handle({ params: { link } }) {
      const found = await mailingOf(context, link)
      if (isRefusal(found)) return found
      const { mailing, email } = found
      const { organization, project, name, user } = mailing
      return { data: { email, organization, project, destination: user ? null : name, isOver: isOver(mailing) } }
    },
  })
}
