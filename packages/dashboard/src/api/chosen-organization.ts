// The organization of this tab, sent with every call. The address decides; pages without one, such as the account,
// keep the last choice of the tab, and a new tab starts with the last choice of the person.
const keyOf = (userId: string) => `svc.organization.${userId}`

let chosen: string | undefined

export const chosenOrganization = (): string | undefined => chosen

export function chooseOrganization(userId: string, organizationId: string): void {
  sessionStorage.setItem(keyOf(userId), organizationId)
  localStorage.setItem(keyOf(userId), organizationId)
  chosen = organizationId
}

/** Keeps the chosen organization if the person is still a member, or else takes an earlier choice or the first one. */
export function settleOrganization(session: { user: { id: string }; organizations: { id: string }[] } | null): void {
  const key = session && keyOf(session.user.id)
  const isOwn = (id: string | null | undefined) => session?.organizations.some((own) => own.id === id) ?? false
  const remembered = key ? [chosen, sessionStorage.getItem(key), localStorage.getItem(key)] : []
  chosen = remembered.find(isOwn) ?? session?.organizations[0]?.id
}
