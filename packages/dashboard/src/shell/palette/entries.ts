import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core'
import { nouns } from '@svc/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { server } from '../../api.ts'
import { segmentOf } from '../address.ts'
import { useAllProjects } from '../all-projects.ts'
import { lastEnvironment } from '../environment.ts'
import { useProjectNumber } from '../frame/level.ts'
import { navigationFor } from '../frame/navigation.ts'
import { type ProjectIndex, projectIndex } from '../index-query.ts'
import type { Stroke } from '../keyboard/stroke.ts'
import { type Keys, keysInUse } from '../keys.ts'
import { type IndexedNoun, indexedNouns, nameInAddress, type PagedNoun, routeOf } from '../noun-pages.ts'
import { useHolds, useMay, useOrganization, useSession } from '../session.ts'
import { type Thing, type ThingAction, useDoors } from '../wing.ts'
import type { Findable } from './rank.ts'

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

/** Everything that the palette offers at this address. */
export function useEntries(): Entry[] {
  const router: AnyRouter = useRouter()
  const { organizations } = useSession()
  const organization = useOrganization()
  const { navigation } = useDoors()
  const holds = useHolds()
  const actions = useThingActions()
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const projects = useAllProjects().data ?? []
  const number = useProjectNumber()
  const project = projects.find(({ shortId }) => shortId === number)
  const environments = useEnvironmentsOf(project?.id)
  const index = useIndexOf(project?.id)
  const people = usePeople()
  const guides = useGuides()

  const org = organization && segmentOf(organization)
  const params = { org, project: project && segmentOf(project) }
  const open = (to: string, more: object = {}, search: object = {}) =>
    void router.navigate({ to, params: { ...params, ...more }, search } as never)
  const chosen = (index?.environments ?? []).findIndex(
    ({ key }) => key === lastEnvironment(project!.id, environments)?.key,
  )
  const placeOf = ({ status, states }: IndexedFlag): Thing['place'] => {
    const environment = index?.environments?.[chosen]
    const state = states[chosen]
    if (!environment || !state) return undefined
    const { running = false, unpublished = 0 } = state
    return { environment, isRunning: running, isArchived: status === 'ARCHIVED', unpublished }
  }

  const thing = (found: Thing, texts: (string | number)[], more: object, tags: string[] = []): Entry[] => {
    const own = () =>
      actions
        .filter(({ of, isFor = () => true }) => of === found.kind && isFor(found))
        .map(({ label, act }) => ({ label: label(found, holds), act: () => act(found, open) }))
        .map(({ label, act }) => actionEntry(`${found.kind}:${label}`, label, act))
    const act = () => open(routeOf(found.kind), more)
    const all = [found.name, ...texts].map((text) => String(text).toLowerCase())
    const id = `${found.kind}:${number}:${texts[0]}`
    const findable = { id, texts: all, tags: tags.map((tag) => tag.toLowerCase()), isAction: false }
    return [{ ...findable, label: found.name, kind: nouns[found.kind].label, detail: found.key, act, actions: own }]
  }

  /** What has no page of its own is found in its list, by its name. */
  const named = (kind: IndexedNoun, row: NamedRow): Entry[] => {
    const { id, name, key, shortId } = row
    const texts = [shortId, key, id].filter((text) => text !== undefined)
    const inAddress = nameInAddress(kind) as 'key' | 'shortId' | 'id' | undefined
    if (inAddress)
      return thing({ kind: kind as PagedNoun, name, ...(inAddress === 'key' && key !== undefined && { key }) }, texts, {
        [kind]: String(row[inAddress]),
      })
    const act = () => open(routeOf(kind), {}, { q: name })
    return [page(`${kind}:${number}:${texts[0]}`, name, nouns[kind].label, act, undefined, texts.map(String))]
  }

  const levels = [
    ...(project ? (['project'] as const) : []),
    ...(org ? (['organization'] as const) : []),
    'account',
  ] as const
  const rows = levels.flatMap((level) => navigationFor(navigation, level, organization).flatMap(({ rows }) => rows))

  return [
    ...actionsOnScreen(keysInUse()),
    ...(index?.flags ?? []).flatMap((flag) => {
      const { key, name, shortId, tags } = flag
      return thing({ kind: 'flag', name, key, place: placeOf(flag) }, [key, shortId], { flag: key }, tags)
    }),
    ...indexedNouns.flatMap((kind) => rowsOf(index, kind).flatMap((row) => named(kind, row))),
    ...environments.flatMap((environment) =>
      thing(
        { kind: 'environment', name: environment.name, key: environment.key, sdkKey: environment.sdkKey },
        [environment.key, environment.id],
        { environment: environment.key },
      ),
    ),
    ...rows.map(({ to, label, level, letter }) =>
      page(
        `page:${to}`,
        label,
        level === 'account' ? 'You' : 'Page',
        () => open(to),
        level === levels[0] && letter ? `g ${letter}` : undefined,
      ),
    ),
    ...projects.map((other) =>
      page(
        `project:${other.shortId}`,
        other.name,
        'Project',
        () => open('/$org/$project', { project: segmentOf(other) }),
        undefined,
        [other.key, other.id],
      ),
    ),
    ...organizations
      .filter(({ id }) => id !== organization?.id)
      .map((other) =>
        page(`organization:${other.shortId}`, other.name, 'Organization', () =>
          open('/$org', { org: segmentOf(other) }),
        ),
      ),
    ...people.map(({ userId: id, name, email }) => ({
      ...page(`person:${id}`, name, 'Person', () => open('/$org/settings/members', {}, { member: id }), undefined, [
        email.toLowerCase(),
        id,
      ]),
      detail: email,
    })),
    ...guides.map(({ address, label }) => page(`guide:${address}`, label, 'Guide', () => location.assign(address))),
    page('docs', 'Guides', 'Help', () => location.assign('/docs')),
    page('api-reference', 'API reference', 'Help', () => location.assign('/docs/api-reference')),
    ...(['light', 'dark', 'auto'] satisfies MantineColorScheme[]).map((scheme) =>
      actionEntry(
        `scheme:${scheme}`,
        scheme === 'auto' ? 'Colors like the system' : `${scheme === 'light' ? 'Light' : 'Dark'} colors`,
        () => setColorScheme(scheme),
      ),
    ),
  ]
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
  const { data } = server.useQuery(
    'get',
    '/api/v1/projects/{projectId}/environments',
    { params: { path: { projectId: projectId ?? '' } } },
    { enabled: projectId !== undefined },
  )
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
