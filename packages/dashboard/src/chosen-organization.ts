// The organization of this tab, sent with every call. A tab keeps its own; a new tab starts with the last choice.
const keyOf = (userId: string) => `svc.organization.${userId}`

let chosen: string | undefined
const listeners = new Set<() => void>()

export const chosenOrganization = (): string | undefined => chosen

export function chooseOrganization(userId: string, organizationId: string): void {
  sessionStorage.setItem(keyOf(userId), organizationId)
  localStorage.setItem(keyOf(userId), organizationId)
  become(organizationId)
}

/** Keeps the chosen organization if the person is still a member, or else takes an earlier choice or the first one. */
export function settleOrganization(session: { user: { id: string }; organizations: { id: string }[] } | null): void {
  if (!session) return become(undefined)
  const key = keyOf(session.user.id)
  const isOwn = (id: string | null | undefined): id is string => session.organizations.some((own) => own.id === id)
  const remembered = [chosen, sessionStorage.getItem(key), localStorage.getItem(key)]
  const id = remembered.find(isOwn) ?? session.organizations[0]?.id
  if (id !== undefined) sessionStorage.setItem(key, id)
  become(id)
}

export function onOrganizationChosen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function become(id: string | undefined): void {
  if (chosen === id) return
  chosen = id
  for (const listener of listeners) listener()
}
