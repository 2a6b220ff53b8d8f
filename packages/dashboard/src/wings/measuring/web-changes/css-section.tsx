import { Button, Text } from '@mantine/core'
import { CodeSnippet } from '../../../ui/code/code-snippet.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import type { Design } from './design.ts'

/** The CSS of a variation, beside the styles of single changes. */
export function CssSection({ design: { content, canEdit, go } }: { design: Design }) {
  const { css } = content
  if (css === null && !canEdit) return null
  return (
    <Section
      title="CSS"
      description="Goes to every page of the experiment as it is."
      actions={
        canEdit && (
          <Button variant="default" onClick={() => go({ panel: 'css' })}>
            {css === null ? 'Add CSS' : 'Edit CSS'}
          </Button>
        )
      }
    >
      {css === null ? (
        <Text size="sm">This variation has no CSS of its own.</Text>
      ) : (
        <CodeSnippet label="CSS" snippets={[{ language: 'CSS', code: css }]} />
      )}
    </Section>
  )
}
