import { Button, List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { CodeSnippet, type Snippet } from '../../../ui/code/code-snippet.tsx'
import { CopyButton } from '../../../ui/code/copy-button.tsx'
import { saveFile } from '../../../ui/code/save-file.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { handOffPath, type VariationPath } from './change-set.ts'
import classes from './hand-off-panel.module.css'

interface HandOffPanelProps {
  path: VariationPath
  /** The name of the variation. */
  name: string
  onClose: () => void
}

const sources = {
  FINAL: { tone: 'note', words: 'This is what ran in the experiment.' },
  LIVE: { tone: 'note', words: 'This is what was published last.' },
  DRAFT: { tone: 'unpublished', words: 'This is a draft, which visitors have never got.' },
} as const

/** What somebody builds in to make a variation part of the site. It is there in every status. */
export function HandOffPanel({ path, name, onClose }: HandOffPanelProps) {
  const query = useQuery({
    queryKey: ['get', handOffPath, { params: { path } }],
    queryFn: async ({ signal }) => (await api.GET(handOffPath, { params: { path }, signal })).data!.data,
  })
  return (
    <SidePanel title={`Build in “${name}”`} description="Hand-off" onClose={onClose}>
      <Loaded query={query} lines={5}>
        {(handOff) => {
          const { source, checklist, html, css, js, redirect, markdown, variationKey } = handOff
          const { tone, words } = sources[source]
          const code = [
            ['HTML', html],
            ['CSS', css],
            ['JavaScript', js],
          ] as const
          return (
            <div className={classes.parts}>
              <Notice tone={tone}>{words}</Notice>
              {checklist.length === 0 ? (
                <Text size="sm">This variation changes nothing, so nothing is to be built in.</Text>
              ) : (
                <>
                  <div className={classes.actions}>
                    <CopyButton text={markdown} label="Copy as Markdown" />
                    <Button
                      variant="default"
                      onClick={() =>
                        saveFile(`hand-off-${variationKey}.md`, new Blob([markdown], { type: 'text/markdown' }))
                      }
                    >
                      Download Markdown
                    </Button>
                  </div>
                  <List
                    size="sm"
                    type="ordered"
                    spacing="xs"
                    className={classes.checklist ?? ''}
                    aria-label="What to build in"
                  >
                    {checklist.map((step) => (
                      <List.Item key={step}>{step}</List.Item>
                    ))}
                  </List>
                </>
              )}
              {redirect && (
                <Text size="sm">
                  Visitors go to <code>{redirect.url}</code>
                  {redirect.keepQuery && ', with the query and the hash of their address'}.
                </Text>
              )}
              {code.map(
                ([language, text]) =>
                  text !== null && (
                    <CodeSnippet
                      key={language}
                      label={`${language} to build in`}
                      snippets={[{ language, code: text } satisfies Snippet]}
                    />
                  ),
              )}
            </div>
          )
        }}
      </Loaded>
    </SidePanel>
  )
}
