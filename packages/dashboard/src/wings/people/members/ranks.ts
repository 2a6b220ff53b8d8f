/** Owners are above everybody. Names of built-in roles are taken, in whatever capital letters, so a name tells enough. */
const owner = 'OWNER'
const seeEverything = [owner, 'ADMIN']

/** Why somebody with this role may not change or remove a member with that one; undefined: they may. */
export const refusesHandling = (mine: string | undefined, theirs: string): string | undefined =>
  theirs === owner && mine !== owner ? 'Owners alone change and remove an owner.' : undefined

/** The roles that somebody with this one may give. */
export const rolesToGive = <Role extends { name: string }>(roles: readonly Role[], mine: string | undefined): Role[] =>
  roles.filter(({ name }) => name !== owner || mine === owner)

/** Owners and administrators cannot be kept to some projects. */
export const seesAllProjects = (role: string | undefined): boolean => role !== undefined && seeEverything.includes(role)
