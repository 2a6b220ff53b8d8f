import { Button } from '@mantine/core'
import { Section } from '../../../ui/layout/section.tsx'
import type { Design } from './design.ts'

/** The way to what is to be built in. */
export const HandOffSection = ({ design: { go } }: { design: Design }) => (
  <Section
    title="Build it in"
    description="What makes this variation a part of the site: a checklist, HTML, CSS and code."
  >
    <div>
      <Button variant="default" onClick={() => go({ panel: 'hand-off' })}>
        Show the hand-off
      </Button>
    </div>
  </Section>
)
