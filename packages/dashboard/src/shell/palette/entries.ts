import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { server } from '../../api.ts'
import { segmentOf } from '../address.ts'
import { useAllProjects } from '../all-projects.ts'
import { projectIndex } from '../index-query.ts'
import { type Keys, keysInUse } from '../keys.ts'
import { useProjectNumber } from '../level.ts'
import { navigationFor } from '../navigation.ts'
import { useOrganization, useSession } from '../session.ts'
import type { Stroke } from '../stroke.ts'
import { type Thing, useDoors } from '../wing.ts'
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
  actions?: Entry[] | undefined
}

/** The pages of things. A page that does not exist yet offers nothing. */
const pages = {
  flag: { to: '/$org/$project/flags/$flag', name: 'Flag' },
  audience: { to: '/$org/$project/audiences/$audience', name: 'Audience' },
  segment: { to: '/$org/$project/segments/$segment', name: 'Segment' },
  environment: { to: '/$org/$project/environments/$environment', name: 'Environment' },
} as const satisfies Record<Thing['kind'], { to: string; name: string }>

/** Everything that the palette offers at this address. */
export function useEntries(): Entry[] {
  const router: AnyRouter = useRouter()
  const { organizations } = useSession()
  const organization = useOrganization()
  const { navigation, actions } = useDoors()
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const projects = useAllProjects().data ?? []
  const number = useProjectNumber()
  const project = projects.find(({ shortId }) => shortId === number)
  const environments = useEnvironmentsOf(project?.id)
  const index = useIndexOf(project?.id)

  const org = organization && segmentOf(organization)
  const params = { org, project: project && segmentOf(project) }
  const open = (to: string, more: object = {}) => void router.navigate({ to, params: { ...params, ...more } as never })
  const hasPage = (to: string) => to in router.routesByPath

  const thing = (found: Thing, texts: (string | number)[], more: object, tags: string[] = []): Entry[] => {
    const { to, name } = pages[found.kind]
    const own = actions
      .filter(({ of }) => of === found.kind)
      .map(({ label, act }) => actionEntry(`${found.kind}:${label(found)}`, label(found), () => act(found)))
    if (!hasPage(to) && own.length === 0) return []
    const act = hasPage(to) ? () => open(to, more) : own[0]!.act
    const all = [found.name, ...texts].map((text) => String(text).toLowerCase())
    const id = `${found.kind}:${number}:${texts[0]}`
    const findable = { id, texts: all, tags: tags.map((tag) => tag.toLowerCase()), isAction: false }
    return [{ ...findable, label: found.name, kind: name, detail: found.key, act, actions: own }]
  }

  const levels = [
    ...(project ? (['project'] as const) : []),
    ...(org ? (['organization'] as const) : []),
    'account',
  ] as const
  const rows = levels.flatMap((level) => navigationFor(navigation, level, organization).flatMap(({ rows }) => rows))

  return [
    ...actionsOnScreen(keysInUse()),
    ...(index?.flags ?? []).flatMap(({ key, name, shortId, tags }) =>
      thing({ kind: 'flag', name, key }, [key, shortId], { flag: key }, tags),
    ),
    ...(index?.audiences ?? []).flatMap(({ id, name, shortId }) =>
      thing({ kind: 'audience', name }, [shortId, id], { audience: String(shortId) }),
    ),
    ...(index?.segments ?? []).flatMap(({ id, name, shortId }) =>
      thing({ kind: 'segment', name }, [shortId, id], { segment: String(shortId) }),
    ),
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
    .map(([stroke, { label, act }]) => actionEntry(label, label, () => act(), stroke))

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
