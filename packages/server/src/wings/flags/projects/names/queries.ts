import { type RawBuilder, sql } from 'kysely'
import { addresses, idFieldOf, type ProjectNoun, storedNouns } from '../../../../catalogue/nouns.ts'
import { keyPattern } from '../../../../fields.ts'
import type { PathNames } from '../../../../path-names.ts'
import type { Db } from '../../../../platform/db/index.ts'
import { isId } from '../../../../platform/ids.ts'
import { isShown } from '../../../model/flag-environments/index.ts'

type Place = (typeof storedNouns)[number]

const hasKey = ({ calledBy }: Place): boolean => calledBy !== 'number'
const hasNumber = ({ calledBy }: Place): boolean => calledBy !== 'key'

/** The ids for the names of a URL in the organization; undefined if one of them does not exist. */
export async function idsOfNames(db: Db, orgId: string, names: PathNames): Promise<PathNames | undefined> {
  const found = await findNames(db, orgId, names, false)
  return found && namedIn(names).every((name) => found[name] !== null) ? (found as PathNames) : undefined
}

type Found = { [Name in keyof PathNames]: string | null }

/**
 * The ids for the names of a URL, with null for each that does not exist. Undefined if the project does not. Only with
 * `checksRuleIds`, the id of a rule is looked for in the definitions.
 */
export async function findNames(
  db: Db,
  orgId: string,
  names: PathNames,
  checksRuleIds: boolean,
): Promise<Found | undefined> {
  const wanted = namedIn(names)
  const places = storedNouns.filter(({ param }) => wanted.includes(param as keyof PathNames))
  const ids = places.map(({ table, param }) => sql`${sql.ref(`${table}.id`)} as ${sql.ref(param)}`)
  const { ruleId, envId } = names
  if (ruleId !== undefined) ids.push(sql`${ruleNamed(ruleId, envId === undefined, checksRuleIds)} as "ruleId"`)
  const joins = places
    .filter(({ noun }) => noun !== 'project')
    .map(
      (place) => sql`
        left join ${sql.table(place.table)} on ${sql.ref(`${place.table}.project_id`)} = projects.id
          and ${isNamed(place, names[place.param as keyof PathNames]!)}`,
    )
  const { rows } = await sql<Found>`
    select ${sql.join(ids)} from projects ${sql.join(joins, sql` `)}
    where projects.org_id = ${orgId} and ${isNamed(projectPlace, names.projectId)}`.execute(db)
  return rows[0]
}

const namedIn = (names: PathNames): (keyof PathNames)[] =>
  (Object.keys(names) as (keyof PathNames)[]).filter((name) => names[name] !== undefined)

const projectPlace = storedNouns.find(({ noun }) => noun === 'project')!

/**
 * The short id and the key of a rule are not in its row but in its definition. The draft comes first. Rules of different
 * environments can have the same key: where the address names no environment, it must be the key of one rule.
 */
function ruleNamed(name: string, isAnywhere: boolean, checksIds: boolean): RawBuilder<unknown> {
  if (isId(name) && !checksIds) return sql`${name}::text`
  const isRule = isId(name)
    ? sql`rule ->> 'id' = ${name.toLowerCase()}`
    : shortIdPattern.test(name)
      ? sql`rule -> 'shortId' = ${name}::jsonb`
      : keyPattern.test(name)
        ? sql`rule ->> 'key' = ${name}`
        : sql`false`
  if (isAnywhere)
    return sql`(
      select case count(distinct rule -> 'id') when 1 then min(rule ->> 'id') end
      from flag_environments fe, ${rulesOf('fe')} rules (rule, place) where fe.flag_id = flags.id and ${isRule})`
  return sql`(
    select rule ->> 'id' from flag_environments fe, ${rulesOf('fe')} rules (rule, place)
    where fe.flag_id = flags.id and fe.env_id = environments.id and ${isRule} order by place limit 1)`
}

/** Every drafted and then every live rule of a row, with its place. */
const rulesOf = (row: string) =>
  sql`jsonb_array_elements((${sql.ref(`${row}.draft`)} -> 'rules') || (${sql.ref(`${row}.live`)} -> 'rules')) with ordinality`

/** Matches rows by id and by the other names of the noun. */
function isNamed(place: Place, name: string): RawBuilder<unknown> {
  const { table } = place
  if (table === 'flags') return sql`${isShown} and ${isCalled(place, name)}`
  return isCalled(place, name)
}

function isCalled(place: Place, name: string): RawBuilder<unknown> {
  const { table } = place
  if (isId(name)) return sql`${sql.ref(`${table}.id`)} = ${name}::uuid`
  if (hasNumber(place) && shortIdPattern.test(name)) return sql`${sql.ref(`${table}.short_id`)} = ${Number(name)}`
  // Text that cannot be a key, for example with NUL, may not be valid text for the database either.
  return hasKey(place) && keyPattern.test(name) ? sql`${sql.ref(`${table}.key`)} = ${name}` : sql`false`
}

/** Where keys of a noun are read: projects of the organization that the caller sees, or what belongs to one. */
export interface KeyPlace {
  orgId: string
  /** Null: all. */
  projects: ReadonlySet<string> | null
  projectId?: string
  flagId?: string
  /** Null: in every environment. */
  envId?: string | null
}

/**
 * Keys of a noun, at most `limit`. First come all that could be the name with up to two letters wrong: they are about as
 * long and share all but two letters, in any order. Then come those that begin with the name, those that are about as
 * long and begin with the same letter, and all others.
 */
export async function keysLike(
  db: Db,
  noun: ProjectNoun,
  { orgId, projects, projectId, flagId, envId = null }: KeyPlace,
  name: string,
  limit: number,
): Promise<string[]> {
  const place = storedNouns.find((each) => each.noun === noun)
  if (place && !hasKey(place)) return []
  const keys = !place
    ? sql`
      select distinct rule ->> 'key' as key from flag_environments fe, ${rulesOf('fe')} rules (rule, place)
      where fe.flag_id = ${flagId} and (${envId}::uuid is null or fe.env_id = ${envId})`
    : noun === 'project'
      ? sql`
        select key from projects
        where org_id = ${orgId} and (${projects === null} or id = any(${[...(projects ?? [])]}::uuid[]))`
      : sql`
        select key from ${sql.table(place.table)}
        where project_id = ${projectId} and ${place.table === 'flags' ? isShown : sql`true`}`
  const { rows } = await sql<{ key: string }>`
    select key from (${keys}) there where key is not null
    order by case when ${mayBe(name)} then 0 when starts_with(key, ${name}) then 1
      when abs(length(key) - ${name.length}::integer) <= ${mostWrong}
        and lower(left(key, 1)) = lower(left(${name}, 1)) then 2 else 3 end, key collate "C"
    limit ${limit}`.execute(db)
  return rows.map(({ key }) => key)
}

const mostWrong = 2

/**
 * Whether two wrong letters can make the name of the key. Each adds, removes, replaces or moves a letter, so the key has
 * all other letters of the name, as often as the name has them.
 */
function mayBe(name: string): RawBuilder<unknown> {
  const counts = new Map<string, number>()
  for (const letter of name.toLowerCase().match(/[\w.-]/g) ?? []) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  // A plain sum, because a query for each key takes twice as long.
  const shared = [...counts].map(
    ([letter, count]) =>
      sql`least(${count}::integer, length(key) - length(replace(lower(key collate "C"), ${letter}, '')))`,
  )
  return sql`(case when abs(length(key) - ${name.length}::integer) > ${mostWrong} then false
    else greatest(length(key), ${name.length}::integer) - (${sql.join([sql`0`, ...shared], sql` + `)}) <= ${mostWrong} end)`
}

const shortIdPattern = /^[1-9]\d{0,8}$/

/** The fields of bodies and queries that name something of the project: `flagId`, `flagIds`, and these. */
const named: Readonly<Record<string, ProjectNoun>> = {
  ...Object.fromEntries(
    addresses
      .filter(({ noun }) => noun !== 'project')
      .flatMap(({ noun }) => [
        [idFieldOf(noun), noun],
        [`${idFieldOf(noun)}s`, noun],
      ]),
  ),
  envId: 'environment',
  copyFromEnvId: 'environment',
  sourceEnvId: 'environment',
}

/** The fields of conditions that name something. */
const namedInConditions: Readonly<Record<string, ProjectNoun>> = { audience: 'audience', segment: 'segment' }

/** The fields with further bodies, and those with further conditions. */
const bodies = ['drafts', 'audiences', 'rules', 'overrides', 'ruleAllowlists']
const connectives = ['all', 'any', 'not']
/** Deeper bodies are refused anyway. */
const maxDepth = 40

/** Where names are looked up. Rules are those of the flag in the environment. */
interface NamingPlace {
  orgId: string
  projectId: string
  flagId?: string | undefined
  envId?: string | undefined
}

type IdOf = (noun: ProjectNoun, name: string) => string

/**
 * A body or query with the ids of what it names by key or short id. An unknown name stays as it is: the code that reads
 * the field refuses it and names the field.
 */
export async function withIds<Sent>(db: Db, place: NamingPlace, sent: Sent): Promise<Sent> {
  if (Array.isArray(sent)) return sent
  const asked = new Map<ProjectNoun, Set<string>>()
  withEach(sent, (noun, name) => {
    if (isId(name)) return name
    asked.set(noun, (asked.get(noun) ?? new Set()).add(name))
    return name
  })
  const ids = new Map<ProjectNoun, Map<string, string>>()
  for (const at of storedNouns) {
    const names = asked.get(at.noun)
    if (names) ids.set(at.noun, await idsIn(db, place, at, [...names]))
  }
  const idOf: IdOf = (noun, name) => ids.get(noun)?.get(name) ?? (isId(name) ? name.toLowerCase() : name)
  const rules = asked.get('rule')
  if (rules) {
    const { flagId, envId } = sent as { flagId?: unknown; envId?: unknown }
    const ofFlag = place.flagId ?? (typeof flagId === 'string' ? idOf('flag', flagId) : undefined)
    const inEnvironment = place.envId ?? (typeof envId === 'string' ? idOf('environment', envId) : undefined)
    if (isId(ofFlag ?? '') && isId(inEnvironment ?? ''))
      ids.set('rule', await ruleIdsIn(db, { ...place, flagId: ofFlag!, envId: inEnvironment! }, [...rules]))
  }
  return withEach(sent, idOf)
}

/** The same body with what `idOf` gives for each name. */
function withEach<Sent>(sent: Sent, idOf: IdOf, inConditions = false, depth = 0): Sent {
  if (typeof sent !== 'object' || sent === null || depth > maxDepth) return sent
  const within = (value: unknown, isCondition: boolean) => withEach(value, idOf, isCondition, depth + 1)
  if (Array.isArray(sent)) return sent.map((each) => within(each, inConditions)) as Sent
  const nouns = inConditions ? namedInConditions : named
  const replaced: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(sent)) {
    const noun = Object.hasOwn(nouns, field) ? nouns[field] : undefined
    const id = (name: unknown) => (typeof name === 'string' ? idOf(noun!, name) : name)
    if (noun) replaced[field] = Array.isArray(value) ? value.map(id) : id(value)
    else if (field === 'conditions' || (inConditions && connectives.includes(field)))
      replaced[field] = within(value, true)
    else if (!inConditions && bodies.includes(field)) replaced[field] = within(value, false)
  }
  return Object.keys(replaced).length === 0 ? sent : { ...sent, ...replaced }
}

async function ruleIdsIn(
  db: Db,
  { orgId, projectId, flagId, envId }: NamingPlace,
  names: string[],
): Promise<Map<string, string>> {
  const numbers = names.filter((name) => shortIdPattern.test(name)).map(Number)
  const keys = names.filter((name) => keyPattern.test(name))
  const { rows } = await sql<{ id: string; key: string; number: number }>`
    select rule ->> 'id' as id, rule ->> 'key' as key, (rule -> 'shortId')::integer as number
    from flag_environments fe join flags on flags.id = fe.flag_id join projects on projects.id = flags.project_id,
      ${rulesOf('fe')} rules (rule, place)
    where projects.id = ${projectId} and projects.org_id = ${orgId} and fe.flag_id = ${flagId} and ${isShown} and fe.env_id = ${envId}
      and (rule ->> 'key' = any(${keys}::text[]) or (rule -> 'shortId')::integer = any(${numbers}::integer[]))
    order by place desc`.execute(db)
  return new Map([
    ...rows.map(({ id, key }) => [key, id] as const),
    ...rows.map(({ id, number }) => [String(number), id] as const),
  ])
}

async function idsIn(
  db: Db,
  { orgId, projectId }: NamingPlace,
  place: Place,
  names: string[],
): Promise<Map<string, string>> {
  const { table } = place
  const keys = hasKey(place) ? names.filter((name) => keyPattern.test(name)) : []
  const numbers = hasNumber(place) ? names.filter((name) => shortIdPattern.test(name)) : []
  if (keys.length + numbers.length === 0) return new Map()
  const key = hasKey(place) ? sql.ref(`${table}.key`) : sql`null::text`
  const number = hasNumber(place) ? sql.ref(`${table}.short_id`) : sql`null::integer`
  const { rows } = await sql<{ id: string; key: string | null; number: number | null }>`
    select ${sql.ref(`${table}.id`)}, ${key} as key, ${number} as number
    from ${sql.table(table)} join projects on projects.id = ${sql.ref(`${table}.project_id`)}
    where projects.id = ${projectId} and projects.org_id = ${orgId} and ${table === 'flags' ? isShown : sql`true`}
      and (${key} = any(${keys}::text[]) or ${number} = any(${numbers.map(Number)}::integer[]))`.execute(db)
  return new Map([
    ...rows.flatMap(({ id, key }) => (key === null ? [] : [[key, id] as const])),
    ...rows.flatMap(({ id, number }) => (number === null ? [] : [[String(number), id] as const])),
  ])
}
