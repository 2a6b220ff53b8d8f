import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router'
import { Inside } from './inside.tsx'
import { BrokenPage, UnknownPage } from './ui/broken-page.tsx'
import { Connecting } from './ui/connecting.tsx'
import { sessionOptions } from './wings/people/sessions/session.ts'
import { auditSearch } from './wings/record/audit/filter.ts'

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  pendingComponent: Connecting,
  pendingMs: 0,
  // Every page depends on who is signed in.
  beforeLoad: async ({ context }) => {
    await context.queryClient.ensureQueryData(sessionOptions)
  },
  errorComponent: BrokenPage,
  notFoundComponent: UnknownPage,
})

const textIn = (search: Record<string, unknown>, name: string) =>
  typeof search[name] === 'string' ? { [name]: search[name] } : {}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search): { returnTo?: string; error?: string } => ({
    ...textIn(search, 'returnTo'),
    ...textIn(search, 'error'),
  }),
  component: lazyRouteComponent(() => import('./wings/people/sessions/sign-in-page.tsx'), 'SignInPage'),
})

const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  component: lazyRouteComponent(() => import('./wings/people/sign-up/sign-up-page.tsx'), 'SignUpPage'),
})

const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  component: lazyRouteComponent(() => import('./wings/people/passwords/reset-page.tsx'), 'ResetPage'),
})

const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  component: lazyRouteComponent(() => import('./wings/people/sign-up/join-page.tsx'), 'JoinPage'),
})

const inside = createRoute({ getParentRoute: () => root, id: 'inside', component: Inside })

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  component: lazyRouteComponent(() => import('./wings/flags/projects/projects-page.tsx'), 'ProjectsPage'),
})

const project = createRoute({
  getParentRoute: () => inside,
  path: '/projects/$projectId',
  component: lazyRouteComponent(() => import('./wings/flags/projects/project-page.tsx'), 'ProjectPage'),
})

const account = createRoute({
  getParentRoute: () => inside,
  path: '/account',
  validateSearch: (search): { error?: string } => textIn(search, 'error'),
  component: lazyRouteComponent(() => import('./wings/people/accounts/account-page.tsx'), 'AccountPage'),
})

const sessions = createRoute({
  getParentRoute: () => inside,
  path: '/account/sessions',
  component: lazyRouteComponent(() => import('./wings/people/sessions/sessions-page.tsx'), 'SessionsPage'),
})

const personalTokens = createRoute({
  getParentRoute: () => inside,
  path: '/account/tokens',
  component: lazyRouteComponent(() => import('./wings/people/tokens/personal-tokens-page.tsx'), 'PersonalTokensPage'),
})

const organization = createRoute({
  getParentRoute: () => inside,
  path: '/settings/organization',
  component: lazyRouteComponent(() => import('./wings/people/organizations/organization-page.tsx'), 'OrganizationPage'),
})

const members = createRoute({
  getParentRoute: () => inside,
  path: '/settings/members',
  component: lazyRouteComponent(() => import('./wings/people/members/members-page.tsx'), 'MembersPage'),
})

const roles = createRoute({
  getParentRoute: () => inside,
  path: '/settings/roles',
  component: lazyRouteComponent(() => import('./wings/people/roles/roles-page.tsx'), 'RolesPage'),
})

const serviceTokens = createRoute({
  getParentRoute: () => inside,
  path: '/settings/tokens',
  component: lazyRouteComponent(() => import('./wings/people/tokens/service-tokens-page.tsx'), 'ServiceTokensPage'),
})

const createServiceToken = createRoute({
  getParentRoute: () => inside,
  path: '/settings/tokens/new',
  component: lazyRouteComponent(
    () => import('./wings/people/tokens/create-service-token-page.tsx'),
    'CreateServiceTokenPage',
  ),
})

const audit = createRoute({
  getParentRoute: () => inside,
  path: '/settings/audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('./wings/record/audit/audit-page.tsx'), 'AuditPage'),
})

const tree = root.addChildren([
  signIn,
  signUp,
  reset,
  join,
  inside.addChildren([
    home,
    project,
    organization,
    members,
    roles,
    serviceTokens,
    createServiceToken,
    audit,
    account,
    sessions,
    personalTokens,
  ]),
])

export const openRouter = (queryClient: QueryClient) =>
  createRouter({ routeTree: tree, context: { queryClient }, defaultPreload: 'intent', scrollRestoration: true })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof openRouter>
  }
}
