import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, Outlet } from '@tanstack/react-router'
import { BrokenPage } from '../ui/door/broken-page.tsx'
import { Connecting } from '../ui/door/connecting.tsx'
import { Home } from './frame/home.tsx'
import { Inside } from './frame/inside.tsx'
import { MissingPage } from './frame/missing-page.tsx'
import { OldAddress } from './frame/old-address.tsx'
import { OrganizationLayout } from './frame/organization-layout.tsx'
import { ProjectHome, ProjectLayout } from './frame/project-layout.tsx'
import { readProjectAhead } from './read-ahead.ts'
import { openOrganization, sessionOptions } from './session.ts'

/** The parents of every route. A wing adds its routes under `root`, `account`, `organization` or `project`. */
export const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  pendingComponent: Connecting,
  pendingMs: 0,
  // index.html has shown the same frame already: nothing flickers if the answer comes at once.
  pendingMinMs: 0,
  // Every page depends on who is signed in.
  beforeLoad: async ({ context }) => {
    await context.queryClient.ensureQueryData(sessionOptions)
  },
  errorComponent: BrokenPage,
})

/** Pages for people who are signed in. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Inside,
  notFoundComponent: MissingPage,
})

/** `/account/…`: pages of the person, in all organizations. */
export const account = createRoute({ getParentRoute: () => inside, path: '/account', component: Outlet })

/** `/7-acme/…`: the number is the short number of the organization. */
export const organization = createRoute({
  getParentRoute: () => inside,
  path: '/$org',
  beforeLoad: ({ context, params, preload }) => {
    if (!preload) openOrganization(context.queryClient, params.org)
  },
  component: OrganizationLayout,
  notFoundComponent: MissingPage,
})

/** `/7-acme/3-web-shop/…`: the number is the short number of the project. `?env=` is the key of an environment. */
export const project = createRoute({
  getParentRoute: () => organization,
  path: '/$project',
  validateSearch: (search): { env?: string } => textIn(search, 'env'),
  loader: ({ context, params }) => void readProjectAhead(context.queryClient, params.project),
  component: ProjectLayout,
  notFoundComponent: MissingPage,
})

const home = createRoute({ getParentRoute: () => inside, path: '/', component: Home })
const projectHome = createRoute({ getParentRoute: () => project, path: '/', component: ProjectHome })
const oldProject = createRoute({ getParentRoute: () => inside, path: '/projects/$', component: OldAddress })
const oldSettings = createRoute({ getParentRoute: () => inside, path: '/settings/$', component: OldAddress })

/** The routes of the shell itself, and its parents with the routes of the wings. */
export const shellRoutes = { inside, home, projectHome, oldProject, oldSettings }

/** The named parameter of a query string if it is a text. */
export function textIn<Name extends string>(search: Record<string, unknown>, name: Name): { [Key in Name]?: string } {
  const value = search[name]
  return (typeof value === 'string' ? { [name]: value } : {}) as { [Key in Name]?: string }
}

/** The query string of a `ListPage`. */
export const listSearch = (search: Record<string, unknown>): { q?: string; panel?: string } => ({
  ...textIn(search, 'q'),
  ...textIn(search, 'panel'),
})
