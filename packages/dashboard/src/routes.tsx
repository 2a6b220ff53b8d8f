import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { BrokenPart } from './shell/frame/broken-part.tsx'
import { account, organization, project, root, shellRoutes } from './shell/routes.tsx'
import { routes as commerce } from './wings/commerce/index.tsx'
import { routes as flags } from './wings/flags/index.tsx'
import { routes as measuring } from './wings/measuring/index.tsx'
import { routes as people } from './wings/people/index.tsx'
import { routes as record } from './wings/record/index.tsx'
import { routes as telling } from './wings/telling/index.tsx'

const { inside, home, projectHome, oldProject, oldSettings } = shellRoutes

/** Every page. The routes themselves are in the doors of the wings. */
const tree = root.addChildren([
  ...people.outside,
  ...telling.outside,
  inside.addChildren([
    home,
    oldProject,
    oldSettings,
    account.addChildren([...people.account, ...telling.account]),
    organization.addChildren([
      ...people.organization,
      ...flags.organization,
      ...record.organization,
      project.addChildren([
        projectHome,
        ...flags.project,
        ...measuring.project,
        ...commerce.project,
        ...telling.project,
      ]),
    ]),
  ]),
])

export const openRouter = (queryClient: QueryClient) =>
  createRouter({
    routeTree: tree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultErrorComponent: BrokenPart,
    scrollRestoration: true,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof openRouter>
  }
}
