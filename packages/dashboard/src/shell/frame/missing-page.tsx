import { Stack } from '@mantine/core'
import { Page } from '../../ui/layout/page.tsx'
import { TextLink } from '../../ui/links/links.tsx'

/** At an address that leads nowhere, for people who are signed in. */
export function MissingPage() {
  return (
    <Page
      title="Page not found"
      description="The address may be wrong, the page may have moved, or you may not have access to it."
    >
      <Stack align="flex-start">
        <TextLink to="/">Go to your projects</TextLink>
      </Stack>
    </Page>
  )
}
