import { Button, Stack } from '@mantine/core'
import type { SessionState } from '../../../shell/session.ts'

interface ProviderButtonsProps {
  providers: SessionState['providers']
  verb: string
  returnTo: string
  /** The secret of the invitation that is accepted this way. */
  link?: string
}

/** Links, because the browser itself visits the provider and comes back. */
export function ProviderButtons({ providers, verb, returnTo, link }: ProviderButtonsProps) {
  const query = new URLSearchParams({ returnTo, ...(link !== undefined && { link }) })
  return (
    <Stack gap="xs">
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          component="a"
          href={`/api/dashboard/oidc/${encodeURIComponent(id)}/start?${query}`}
          variant="default"
        >
          {verb} {name}
        </Button>
      ))}
    </Stack>
  )
}
