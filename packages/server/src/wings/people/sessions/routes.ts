import { z } from 'zod'
import { isRefusal, notFound } from '../../../catalogue/refusals.ts'
import { idField } from '../../../fields.ts'
import { isAdministrator } from '../../../http/credentials.ts'
import type { PersonRoute } from '../../../http/person-route.ts'
import { isId } from '../../../platform/ids.ts'
import { membershipOf } from '../accounts/index.ts'
import { isSetupOpen } from '../links/index.ts'
import {
  endOtherSessions,
  endSession,
  leaveSession,
  openSession,
  type SignInContext,
  signIn,
  signInWithSecondFactor,
} from './actions.ts'
import { findSessionOf, listSessions } from './queries.ts'
import { codeField, emailField, givenPasswordField, listedSessionSchema, standingSchema } from './schema.ts'
import { idleSince } from './session.ts'
import { type Offered, type Standing, standingOf } from './standing.ts'

const tag = 'Session'

export interface StandingContext {
  db: SignInContext['db']
  offered: Omit<Offered, 'setup'>
  now: () => Date
}

/** The state of this cookie: signed in, waiting for the second factor, or signed out. */
export async function standing({ db, offered, now }: StandingContext, secret: string | undefined): Promise<Standing> {
  const session = await openSession(db, secret, now())
  const memberships = (session?.memberships ?? []).map(membershipOf)
  const seen = memberships.map((membership) => ({ ...membership, administrator: isAdministrator(membership) }))
  return standingOf(session, seen, { ...offered, setup: await isSetupOpen(db) })
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a flat list of routes
export function sessionRoutes(route: PersonRoute, context: SignInContext & StandingContext): void {
  const { db, now } = context

  route({
    method: 'GET',
    url: '/api/dashboard/session',
    operationId: 'getSession',
    summary: 'Get the current session',
    tag,
    access: 'anyone',
    data: standingSchema,
    async handle({ cookie }) {
      const data = await standing(context, cookie.secret)
      if (cookie.secret !== undefined && data.stage === 'SIGNED_OUT') cookie.clear()
      return { data }
    },
  })

  route({
    method: 'POST',
    url: '/api/dashboard/sign-in',
    operationId: 'signIn',
    summary: 'Sign in with a password',
    description:
      'If the account has a second factor, the stage is `SECOND_FACTOR`, and the session gives no access yet.',
    tag,
    access: 'anyone',
    rateFamily: 'sign-in',
    body: z.strictObject({ email: emailField, password: givenPasswordField }),
    data: standingSchema,
    async handle({ body, from, authorAs, cookie }) {
      const started = await signIn(context, body, { from, formerSecret: cookie.secret }, authorAs)
      if (isRefusal(started)) return started
      cookie.set(started.secret, started.expiresAt)
      return { data: await standing(context, started.secret) }
    },
  })

  route({
    method: 'POST',
    url: '/api/dashboard/sign-in/second-factor',
    operationId: 'signInWithSecondFactor',
    summary: 'Sign in with a second factor',
    tag,
    access: 'anyone',
    rateFamily: 'sign-in',
    body: z.union([z.strictObject({ code: codeField }), z.strictObject({ recoveryCode: codeField })]),
    data: standingSchema,
    async handle({ body, from, authorAs, cookie }) {
      const browser = { from, formerSecret: cookie.secret }
      const started = await signInWithSecondFactor(context, body, browser, authorAs, now())
      if (isRefusal(started)) return started
      cookie.set(started.secret, started.expiresAt)
      return { data: await standing(context, started.secret) }
    },
  })

  route({
    method: 'POST',
    url: '/api/dashboard/sign-out',
    operationId: 'signOut',
    summary: 'Sign out',
    tag,
    access: 'anyone',
    data: z.null(),
    async handle({ authorAs, cookie }) {
      await leaveSession(db, cookie.secret, authorAs, now())
      cookie.clear()
      return { data: null }
    },
  })

  route({
    method: 'GET',
    url: '/api/dashboard/sessions',
    operationId: 'listSessions',
    summary: 'List your sessions',
    tag,
    access: 'session',
    data: listedSessionSchema.array(),
    async handle({ person }) {
      const sessions = await listSessions(db, { userId: person.user.id, now: now(), idleSince: idleSince(now()) })
      return {
        data: sessions.map(({ createdAt, lastSeenAt, expiresAt, ...session }) => ({
          ...session,
          current: session.id === person.id,
          createdAt: createdAt.toISOString(),
          lastSeenAt: lastSeenAt.toISOString(),
          expiresAt: expiresAt.toISOString(),
        })),
      }
    },
  })

  route({
    method: 'DELETE',
    url: '/api/dashboard/sessions/:sessionId',
    operationId: 'endSession',
    summary: 'End one of your sessions',
    tag,
    access: 'session',
    params: { sessionId: idField },
    data: z.null(),
    async handle({ params: { sessionId }, person, authorAs, cookie }) {
      const session = isId(sessionId) ? await findSessionOf(db, person.user.id, sessionId) : undefined
      if (!session) return notFound('Session')
      const ended = await endSession(db, { id: session.id, user: person.user }, authorAs(person.user))
      if (isRefusal(ended)) return ended
      if (session.id === person.id) cookie.clear()
      return { data: null }
    },
  })

  route({
    method: 'POST',
    url: '/api/dashboard/sessions/end-others',
    operationId: 'endOtherSessions',
    summary: 'End your other sessions',
    tag,
    access: 'session',
    data: z.object({ ended: z.int() }),
    async handle({ person, authorAs }) {
      const ended = await endOtherSessions(db, person, authorAs(person.user))
      return isRefusal(ended) ? ended : { data: { ended } }
    },
  })
}
