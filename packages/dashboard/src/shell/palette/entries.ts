import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core'
import { nouns } from '@svc/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { server } from '../../api.ts'
import { segmentOf } from '../address.ts'
import { type NamedProject, useAllProjects } from '../all-projects.ts'
import { lastEnvironment } from '../environment.ts'
import { useProjectNumber } from '../frame/level.ts'
import { navigationFor, type OpenedByKey } from '../frame/navigation.ts'
import { type ProjectIndex, projectIndex } from '../index-query.ts'
import type { Stroke } from '../keyboard/stroke.ts'
import { type Keys, keysInUse } from '../keys.ts'
import { type IndexedNoun, indexedNouns, nameInAddress, type PagedNoun, routeOf } from '../noun-pages.ts'
import { environmentsOf } from '../read-ahead.ts'
import { type Organization, useHolds, useMay, useOrganization, useSession } from '../session.ts'
import { useSignOut } from '../sign-out.ts'
import { type Level, type Thing, type ThingAction, useDoors } from '../wing.ts'
import { useFoundProducts } from './found-products.ts'
import type { Findable } from './rank.ts'
import { verbs } from './verbs.ts'

export interface Entry extends Findable {
  label: string
  /** What it is: "Flag", "Page", "Action". */
  kind: string
  /** Beside the label: its key. */
  detail?: string | undefined
  stroke?: Stroke | undefined
  act: () => unknown
  /** What can be done with it; offered if it is the best match. */
  actions?: (() => Entry[]) | undefined
}

/** Everything that the palette offers at this address, and the products that match what is typed. */
export function useEntries(typed: string): Entry[] {
  const { organizations } = useSession()
  const organization = useOrganization()
  const { navigation } = useDoors()
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const projects = useAllProjects().data ?? []
  const number = useProjectNumber()
  const project = projects.find(({ shortId }) => shortId === number)
  const environments = useEnvironmentsOf(project?.id)
  const index = useIndexOf(project?.id)
  const place: Place = {
    number,
    open: useOpen({ org: organization && segmentOf(organization), project: project && segmentOf(project) }),
    holds: useHolds(),
    actions: useThingActions(),
  }
  const people = usePeople()
  const guides = useGuides()
  const found = useFoundProducts(project?.id, typed)
  const signOut = useSignOut()

  const levels: Level[] = [
    ...(project ? ['project' as const] : []),
    ...(organization ? ['organization' as const] : []),
    'account',
  ]
  const rows = levels.flatMap((level) =>
    navigationFor(navigation, level, organization, project).flatMap(({ rows }) => rows),
  )
  const others = organizations.filter(({ id }) => id !== organization?.id)
  const onScreen = actionsOnScreen(keysInUse())
  const isOffered = ({ label, scope, level, type }: (typeof verbs)[number]) =>
    levels.includes(level) &&
    place.holds(scope) &&
    (!type || type === project?.type) &&
    !onScreen.some((action) => action.label === label)
  return [
    ...onScreen,
    ...verbs
      .filter(isOffered)
      .map(({ label, to, search }) => actionEntry(`verb:${label}`, label, () => place.open(to, {}, search))),
    actionEntry('sign-out', 'Sign out', signOut),
    ...(project ? flagEntries(place, index, lastEnvironment(project.id, environments)?.key) : []),
    ...indexedNouns.flatMap((kind) => rowsOf(index, kind).flatMap((row) => namedEntries(place, kind, row))),
    ...environments.flatMap((environment) => environmentEntries(place, environment)),
    ...(place.holds('flags:read') ? environments.map((environment) => publishEntry(place, environment)) : []),
    ...rows.map((row) => rowEntry(place, row, levels[0]!)),
    ...projects.map((other) => projectEntry(place, other)),
    ...others.map((other) => organizationEntry(place, other)),
    ...found.products.map((product) => productEntry(place, product, found.q)),
    ...people.map((person) => personEntry(place, person)),
    ...guides.map(({ address, label }) => page(`guide:${address}`, label, 'Guide', () => location.assign(address))),
    page('docs', 'Guides', 'Help', () => location.assign('/docs')),
    page('api-reference', 'API reference', 'Help', () => location.assign('/docs/api-reference')),
    ...schemes.map(({ scheme, label }) => actionEntry(`scheme:${scheme}`, label, () => setColorScheme(scheme))),
  ]
}

/** Where the palette is open, and what the person can do there. */
interface Place {
  number: number | undefined
  open: Open
  holds: ReturnType<typeof useHolds>
  actions: readonly ThingAction[]
}

/** Opens a page below what is open. */
function useOpen(params: { org: string | undefined; project: string | undefined }) {
  const router: AnyRouter = useRouter()
  return (to: string, more: object = {}, search: object = {}) =>
    void router.navigate({ to, params: { ...params, ...more }, search } as never)
}

type Open = ReturnType<typeof useOpen>

const schemes: { scheme: MantineColorScheme; label: string }[] = [
  { scheme: 'light', label: 'Light colors' },
  { scheme: 'dark', label: 'Dark colors' },
  { scheme: 'auto', label: 'Colors like the system' },
]

/** What has a page of its own, with the actions that its wing offers for it. */
function thingEntries(
  { number, open, holds, actions }: Place,
  found: Thing,
  { texts, params, tags = [] }: { texts: (string | number)[]; params: object; tags?: string[] },
): Entry[] {
  const own = () =>
    actions
      .filter(({ of, isFor = () => true }) => of === found.kind && isFor(found))
      .map(({ label, act }) => ({ label: label(found, holds), act: () => act(found, open) }))
      .map(({ label, act }) => actionEntry(`${found.kind}:${label}`, label, act))
  const act = () => open(routeOf(found.kind), params)
  const all = [found.name, ...texts].map((text) => String(text).toLowerCase())
  const id = `${found.kind}:${number}:${texts[0]}`
  const findable = { id, texts: all, tags: tags.map((tag) => tag.toLowerCase()), isAction: false }
  return [{ ...findable, label: found.name, kind: nouns[found.kind].label, detail: found.key, act, actions: own }]
}

/** Flags have the state in the environment that the person has chosen last. */
function flagEntries(place: Place, index: ProjectIndex | undefined, environmentKey: string | undefined): Entry[] {
  const chosen = (index?.environments ?? []).findIndex(({ key }) => key === environmentKey)
  const environment = index?.environments?.[chosen]
  const placeOf = ({ status, states }: IndexedFlag): Thing['place'] => {
    const state = states[chosen]
    if (!environment || !state) return undefined
    const { running = false, unpublished = 0 } = state
    return { environment, isRunning: running, isArchived: status === 'ARCHIVED', unpublished }
  }
  return (index?.flags ?? []).flatMap((flag) => {
    const { key, name, shortId, tags } = flag
    const found: Thing = { kind: 'flag', name, key, place: placeOf(flag) }
    return thingEntries(place, found, { texts: [key, shortId], params: { flag: key }, tags })
  })
}

/** What has no page of its own is found in its list, by its name. */
function namedEntries(place: Place, kind: IndexedNoun, row: NamedRow): Entry[] {
  const { id, name, key, shortId } = row
  const texts = [shortId, key, id].filter((text) => text !== undefined)
  const inAddress = nameInAddress(kind) as 'key' | 'shortId' | 'id' | undefined
  if (inAddress) {
    const found: Thing = { kind: kind as PagedNoun, name, ...(inAddress === 'key' && key !== undefined && { key }) }
    return thingEntries(place, found, { texts, params: { [kind]: String(row[inAddress]) } })
  }
  const act = () => place.open(routeOf(kind), {}, { q: name })
  return [page(`${kind}:${place.number}:${texts[0]}`, name, nouns[kind].label, act, undefined, texts.map(String))]
}

const environmentEntries = (
  place: Place,
  { id, key, name, sdkKey }: ReturnType<typeof useEnvironmentsOf>[number],
): Entry[] =>
  thingEntries(place, { kind: 'environment', name, key, sdkKey }, { texts: [key, id], params: { environment: key } })

const publishEntry = ({ open, holds }: Place, { key, name }: { key: string; name: string }): Entry => {
  const label = holds('projects:write') ? `Review and publish to ${name}` : `Review what is not published in ${name}`
  return actionEntry(`publish:${key}`, label, () =>
    open('/$org/$project/environments/$environment/publish', { environment: key }),
  )
}

/** A row of the sidebar. Its letter opens it on the level that the sidebar shows. */
function rowEntry({ open }: Place, { to, label, level, letter }: OpenedByKey, shown: Level): Entry {
  const stroke = level === shown && letter ? `g ${letter}` : undefined
  return page(`page:${to}`, label, level === 'account' ? 'You' : 'Page', () => open(to), stroke)
}

function projectEntry({ open }: Place, other: NamedProject): Entry {
  const act = () => open('/$org/$project', { project: segmentOf(other) })
  return page(`project:${other.shortId}`, other.name, 'Project', act, undefined, [other.key, other.id])
}

const organizationEntry = ({ open }: Place, other: Organization): Entry =>
  page(`organization:${other.shortId}`, other.name, 'Organization', () => open('/$org', { org: segmentOf(other) }))

/** The service has found it by any of its fields, so it matches what was looked for. */
function productEntry({ number, open }: Place, product: { productId: string; title: string }, q: string): Entry {
  const { productId, title } = product
  const act = () => open('/$org/$project/commerce/products/$product', { product: productId })
  const entry = page(`product:${number}:${productId}`, title, 'Product', act, undefined, [productId.toLowerCase()])
  return { ...entry, detail: productId, tags: [q.toLowerCase()] }
}

function personEntry({ open }: Place, { userId: id, name, email }: ReturnType<typeof usePeople>[number]): Entry {
  const act = () => open('/$org/settings/members', {}, { member: id })
  return { ...page(`person:${id}`, name, 'Person', act, undefined, [email.toLowerCase(), id]), detail: email }
}

const page = (
  id: string,
  label: string,
  kind: string,
  act: () => unknown,
  stroke?: Stroke,
  texts: string[] = [],
): Entry => ({
  id,
  label,
  kind,
  stroke,
  texts: [label.toLowerCase(), ...texts],
  isAction: false,
  act,
})

const actionEntry = (id: string, label: string, act: () => unknown, stroke?: Stroke): Entry => ({
  id: `action:${id}`,
  label,
  kind: 'Action',
  stroke,
  texts: [label.toLowerCase()],
  isAction: true,
  act,
})

/** What the page offers as single keys, except to go elsewhere. */
const actionsOnScreen = (keys: Keys): Entry[] =>
  Object.entries(keys)
    .filter(([stroke]) => !stroke.startsWith('g '))
    .flatMap(([stroke, { label, act }]) => (act ? [actionEntry(label, label, act, stroke)] : []))

function useEnvironmentsOf(projectId: string | undefined) {
  const { data } = useQuery({ ...environmentsOf(projectId ?? ''), enabled: projectId !== undefined })
  return data?.data ?? []
}

function useIndexOf(projectId: string | undefined) {
  const client = useQueryClient()
  return useQuery({ ...projectIndex(client, projectId ?? ''), enabled: projectId !== undefined }).data?.content
}

type IndexedFlag = NonNullable<ProjectIndex['flags']>[number]

interface NamedRow {
  id: string
  name: string
  key?: string
  shortId?: number
}

const rowsOf = (index: ProjectIndex | undefined, noun: IndexedNoun): readonly NamedRow[] =>
  index?.[nouns[noun].index] ?? []

/** The actions that the wings offer for things, as far as the person can do them. */
function useThingActions(): ThingAction[] {
  const { actions } = useDoors()
  const holds = useHolds()
  const { data = [] } = useQuery({
    queryKey: ['actions of things'],
    queryFn: async () => (await Promise.all(actions.map((load) => load()))).flatMap(({ actions }) => actions),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data.filter(({ scope }) => !scope || holds(scope))
}

const mostPeople = 100

function usePeople() {
  const isWanted = useMay('members:read')
  const query = { limit: mostPeople }
  const { data } = server.useQuery('get', '/api/v1/members', { params: { query } }, { enabled: isWanted })
  return data?.data ?? []
}

/** The guides that this service serves; none if they are not built. */
function useGuides(): { address: string; label: string }[] {
  const { data } = useQuery({
    queryKey: ['guides'],
    queryFn: async ({ signal }) => {
      const response = await fetch('/docs/assets/guides.json', { signal })
      return response.ok ? await response.json() : []
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return data ?? []
}
