import type { Data } from '@svc/client'
import { type QueryClient, queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createContext, useContext, useSyncExternalStore } from 'react'
import { api, server } from '../../../api.ts'
import { chosenOrganization, onOrganizationChosen, settleOrganization } from '../../../chosen-organization.ts'

export type SessionState = Data<'/api/dashboard/session', 'get'>
export type Session = NonNullable<SessionState['session']>
export type Organization = Session['organizations'][number]

/** Who is signed in. Everything else waits for it: no other call goes out before the organization is settled. */
export const sessionOptions = queryOptions({
  queryKey: server.queryOptions('get', '/api/dashboard/session').queryKey,
  queryFn: async ({ signal }) => {
    const { data } = await api.GET('/api/dashboard/session', { signal })
    return settled(data!.data)
  },
})

/** Takes the state that a sign-in answers. Another person may be here now: what was loaded before goes. */
export function enter(client: QueryClient, state: SessionState): void {
  client.removeQueries({ predicate: isNotSession })
  client.setQueryData(sessionOptions.queryKey, settled(state))
}

/** Of a cached query: whether it holds anything else. */
export const isNotSession = ({ queryKey }: { queryKey: readonly unknown[] }): boolean =>
  queryKey[1] !== sessionOptions.queryKey[1]

function settled(state: SessionState): SessionState {
  settleOrganization(state.stage === 'SIGNED_IN' ? state.session : null)
  return state
}

export const useSessionState = (): SessionState => useSuspenseQuery(sessionOptions).data

/** Given by the shell: all that is inside sees the same session, until the shell itself goes. */
export const SessionContext = createContext<Session | null>(null)

/** On pages inside the shell, which nobody sees without one. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('this page is for people who are signed in')
  return session
}

/** The organization that this tab acts in; undefined for somebody who belongs to none. */
export function useOrganization(): Organization | undefined {
  const id = useSyncExternalStore(onOrganizationChosen, chosenOrganization)
  return useSession().organizations.find((organization) => organization.id === id)
}

/** Whether this person may do what needs the scope: hide or explain what they may not. The service decides all the same. */
export function useMay(scope: string): boolean {
  const held = useOrganization()?.scopes ?? []
  return held.includes(scope) || held.includes('admin:*')
}

export function useRefreshSession(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: sessionOptions.queryKey })
}
