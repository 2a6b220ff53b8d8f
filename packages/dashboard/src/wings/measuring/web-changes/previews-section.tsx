import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { useDone } from '../../../versioned.ts'
import { pageName } from './change-set.ts'
import type { Design } from './design.ts'
import { type Preview, previewsPath, revokePreview, usePreviews } from './previews.ts'
import classes from './previews-section.module.css'

/** Addresses that show this variation on the real site, until they end or somebody takes them back. */
export function PreviewsSection({ design }: { design: Design }) {
  const { variation, path, pages, canPreview, go } = design
  const query = usePreviews(path)
  const [asked, setAsked] = useState<Preview>()
  const hasAddress = pages.some(({ url }) => url !== null)
  return (
    <Section title="Previews" description="Show this variation on the real site, to whoever has the address.">
      <Loaded query={query}>
        {(all) => {
          const own = all.filter(({ variationKey }) => variationKey === variation.key)
          return own.length === 0 ? (
            <Text size="sm">No preview is open.</Text>
          ) : (
            <ul className={classes.list} aria-label="Open previews">
              {own.map((preview) => (
                <li key={preview.id} className={classes.preview}>
                  <div className={classes.words}>
                    <Text size="sm">
                      {pageName(preview.pageKey, pages)}, {preview.version === 'DRAFT' ? 'the draft' : 'what is live'}
                    </Text>
                    <Text size="xs" c="dimmed" component="div">
                      by {preview.createdBy}, until <Time time={preview.expiresAt} />
                    </Text>
                  </div>
                  {canPreview && (
                    <Button variant="default" size="compact-sm" onClick={() => setAsked(preview)}>
                      Revoke…
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
      {canPreview &&
        (hasAddress ? (
          <div>
            <Button variant="default" onClick={() => go({ panel: 'preview' })}>
              Create a preview
            </Button>
          </div>
        ) : (
          <Text size="sm" c="dimmed">
            Give a page of the experiment its address first: a preview opens it.
          </Text>
        ))}
      {asked && <Revoke preview={asked} path={path} onClose={() => setAsked(undefined)} />}
    </Section>
  )
}

function Revoke({ preview, path, onClose }: { preview: Preview; path: Design['path']; onClose: () => void }) {
  const done = useDone()
  return (
    <ConfirmDialog
      title="Revoke the preview"
      verb="Revoke"
      isDangerous
      act={async () => {
        await revokePreview(path, preview.id)
        await done('The preview is revoked.', previewsPath)
      }}
      onClose={onClose}
    >
      Whoever has its address sees what visitors get, from the next page on.
      {preview.lastUsedAt && (
        <>
          {' '}
          It was used <Time time={preview.lastUsedAt} />.
        </>
      )}
    </ConfirmDialog>
  )
}
