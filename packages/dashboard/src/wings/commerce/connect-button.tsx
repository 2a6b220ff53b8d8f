import { Group } from '@mantine/core'
import { usePlace } from '../../shell/place.ts'
import { useMay } from '../../shell/session.ts'
import { ButtonLink } from '../../ui/links/links.tsx'
import { GuideButton } from './guide-button.tsx'

/** Leads from an empty page to the source that fills it by itself, and to the guide. */
export function ConnectButton({ label, page }: { label: string; page: string }) {
  const { params } = usePlace()
  const mayEdit = useMay('catalog:write')
  return (
    <Group gap="xs" justify="center">
      {mayEdit && (
        <ButtonLink to="/$org/$project/commerce/sources" params={params} search={{ panel: 'create' }}>
          {label}
        </ButtonLink>
      )}
      <GuideButton page={page} />
    </Group>
  )
}
