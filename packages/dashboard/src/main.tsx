import './ui/theme/mantine-styles.ts'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { openQueryClient } from './query-client.ts'
import { openRouter } from './routes.tsx'
import { noteMissingCode } from './shell/frame/missing-code.ts'
import { DoorsContext } from './shell/wing.ts'
import { Announcements } from './ui/notice/announce.tsx'
import { theme } from './ui/theme/theme.ts'
import { doors } from './wings.ts'

const queryClient = openQueryClient()
const router = openRouter(queryClient)

// Begins with the first visit, so that these styles are there before a page needs them.
void import('./all-pages.ts')

addEventListener('vite:preloadError', ({ payload }) => noteMissingCode(payload))

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    {/* Its variables are in a stylesheet (ui/theme/theme-css.ts): the Content-Security-Policy refuses <style> elements. */}
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queryClient}>
        <DoorsContext value={doors}>
          <RouterProvider router={router} />
        </DoorsContext>
        <Announcements />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
