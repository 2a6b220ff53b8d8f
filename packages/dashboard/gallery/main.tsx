// Every component with realistic and hostile data, for people and for the browser tests. A file here is a page.
import '../src/ui/theme/mantine-styles.ts'
import '../src/all-pages.ts'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { theme } from '../src/ui/theme/theme.ts'
import { type Exhibit, Gallery, Overview } from './gallery.tsx'

const files = import.meta.glob<Exhibit>(['./*.tsx', '!./main.tsx', '!./gallery.tsx'])
const pages = new Map(
  Object.entries(files).map(([path, load]) => [path.slice('./'.length, -'.tsx'.length), load] as const),
)

const root = createRootRoute({ component: () => <Gallery names={[...pages.keys()]} /> })
const overview = createRoute({ getParentRoute: () => root, path: '/', component: Overview })
const routes = [...pages].map(([name, load]) =>
  createRoute({ getParentRoute: () => root, path: `/${name}` }).lazy(async () => {
    const { default: component } = await load()
    const { createLazyRoute } = await import('@tanstack/react-router')
    return createLazyRoute(`/${name}` as never)({ component })
  }),
)
const router = createRouter({ routeTree: root.addChildren([overview, ...routes]) })

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router as never} />
        <Notifications position="bottom-right" />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
