import type { Data } from '@svc/client'
import { type QueryClient, queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { createContext, useContext } from 'react'
import { chooseOrganization, chosenOrganization, settleOrganization } from '../api/chosen-organization.ts'
import { api, server } from '../api.ts'
import { numberIn } from './address.ts'

export type SessionState = Data<'/api/dashboard/session', 'get'>
export type Session = NonNullable<SessionState['session']>
export type Organization = Session['organizations'][number]

declare global {
  interface Window {
    /** The answer that public/session.js has asked for, until it is read. */
    svcSession?: Promise<Response> | undefined
  }
}

/** Who is signed in. Every other call waits for it, because each call names the organization. */
export const sessionOptions = queryOptions({
  queryKey: server.queryOptions('get', '/api/dashboard/session').queryKey,
  queryFn: async ({ signal }) => {
    const asked = window.svcSession
    window.svcSession = undefined
    const { data } = await api.GET('/api/dashboard/session', { signal, ...(asked && { fetch: () => asked }) })
    return settled(data!.data)
  },
})

/** Takes over the answer of a sign-in. It can be a different person, so everything loaded before is dropped. */
export function enter(client: QueryClient, state: SessionState): void {
  client.removeQueries({ predicate: isNotSession })
  client.setQueryData(sessionOptions.queryKey, settled(state))
}

/** Matches every cached query except the session. */
export const isNotSession = ({ queryKey }: { queryKey: readonly unknown[] }): boolean =>
  queryKey[1] !== sessionOptions.queryKey[1]

function settled(state: SessionState): SessionState {
  settleOrganization(state.stage === 'SIGNED_IN' ? state.session : null)
  return state
}

/**
 * Makes the organization of an address the organization of this tab. Answers for another organization are dropped,
 * because the same call has a different answer now.
 */
export function openOrganization(client: QueryClient, segment: string): void {
  const session = client.getQueryData(sessionOptions.queryKey)?.session
  const organization = session && organizationIn(session, segment)
  if (!organization || organization.id === chosenOrganization()) return
  chooseOrganization(session.user.id, organization.id)
  client.removeQueries({ predicate: isNotSession })
}

export const useSessionState = (): SessionState => useSuspenseQuery(sessionOptions).data

/** Provided around the shell, so that everything inside sees the same session. */
export const SessionContext = createContext<Session | null>(null)

/** The session, on pages for people who are signed in. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('this page is for people who are signed in')
  return session
}

/**
 * The organization of the address, or of this tab on pages without one. Undefined for a person who belongs to none, and
 * for an address of an organization that the person does not belong to.
 */
export function useOrganization(): Organization | undefined {
  const { org } = useParams({ strict: false }) as { org?: string }
  const session = useSession()
  if (org !== undefined) return organizationIn(session, org)
  const chosen = chosenOrganization()
  return session.organizations.find(({ id }) => id === chosen)
}

const organizationIn = ({ organizations }: Session, segment: string): Organization | undefined => {
  const number = numberIn(segment)
  return organizations.find(({ shortId }) => shortId === number)
}

/** Whether this person has the scope. Pages hide or explain what is not allowed; the service enforces it. */
export const useMay = (scope: string): boolean => useHolds()(scope)

/** Returns a function that says for any scope whether this person has it. */
export function useHolds(): (scope: string) => boolean {
  const held = useOrganization()?.scopes ?? []
  return (scope) => held.includes(scope) || held.includes('admin:*')
}

export function useRefreshSession(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: sessionOptions.queryKey })
}
