import { Button, Text } from '@mantine/core'
import { Section } from '../../../../ui/layout/section.tsx'
import type { Design } from '../design.ts'
import { inTheWay } from './redirect.ts'

/** Where the visitors of a variation go, for a variation that is a page of its own. */
export function RedirectSection({ design }: { design: Design }) {
  const { experiment, variation, canRedirect, go } = design
  const { redirect } = variation
  if (!redirect && (!canRedirect || variation.key === experiment.baselineVariationKey)) return null
  const obstacle = inTheWay(design)
  return (
    <Section
      title="Redirect"
      description="Sends visitors to another address instead of changing the page."
      actions={
        canRedirect &&
        obstacle === undefined && (
          <Button variant="default" onClick={() => go({ panel: 'redirect' })}>
            {redirect ? 'Edit redirect' : 'Add redirect'}
          </Button>
        )
      }
    >
      <Text size="sm">
        {redirect ? (
          <>
            Visitors go to <code>{redirect.url}</code>, {redirect.keepQuery ? 'with' : 'without'} the query and the hash
            of their address.
          </>
        ) : (
          `Visitors stay on the page.${obstacle === undefined ? '' : ` To send them elsewhere, remove the ${obstacle} first.`}`
        )}
      </Text>
    </Section>
  )
}
