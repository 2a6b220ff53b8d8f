import { Button, NativeSelect, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CopyField } from '../../../ui/code/copy-field.tsx'
import { QrCode } from '../../../ui/code/qr-code.tsx'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { ApiForm, first, useForm } from '../../../ui/form/form.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { refresh } from '../../../versioned.ts'
import type { Design } from './design.ts'
import { createPreview, type Preview, previewsPath } from './previews.ts'
import classes from './previews-section.module.css'

const lifetimes = [
  { value: '24', label: '1 day' },
  { value: '72', label: '3 days' },
  { value: '720', label: '30 days' },
]

/** Makes an address that shows a variation, for this screen and for a phone. */
export function PreviewPanel({ design, onClose }: { design: Design; onClose: () => void }) {
  const { variation } = design
  const [url, setUrl] = useState<string>()
  return (
    <SidePanel title="Preview" description={variation.name} onClose={onClose}>
      {url === undefined ? <PreviewForm design={design} done={setUrl} /> : <Created url={url} onClose={onClose} />}
    </SidePanel>
  )
}

function PreviewForm({ design, done }: { design: Design; done: (url: string) => void }) {
  const { experiment, variation, path, pages } = design
  const client = useQueryClient()
  const withAddress = pages.filter(({ url }) => url !== null)
  const form = useForm({
    initial: {
      pageKey: withAddress[0]?.key ?? '',
      version: 'DRAFT' as Preview['version'],
      expiresInHours: '72',
    },
    send: ({ expiresInHours, ...wanted }) =>
      createPreview(path, { ...wanted, variationKey: variation.key, expiresInHours: Number(expiresInHours) }),
    done: async (url) => {
      done(url)
      await refresh(client, previewsPath)
    },
  })
  return (
    <ApiForm form={form} verb="Create preview" failed="The preview was not created">
      <NativeSelect
        {...form.field('pageKey')}
        {...first}
        label="Page"
        data={withAddress.map(({ key, name }) => ({ value: key, label: name }))}
      />
      <NativeSelect
        {...form.field('version')}
        label="Shows"
        data={[
          { value: 'DRAFT', label: 'The draft, and what is edited from now on' },
          ...(experiment.launchedAt === null ? [] : [{ value: 'LIVE', label: 'What is live' }]),
        ]}
      />
      <NativeSelect {...form.field('expiresInHours')} label="Ends after" data={lifetimes} />
    </ApiForm>
  )
}

function Created({ url, onClose }: { url: string; onClose: () => void }) {
  return (
    <div className={classes.created}>
      <Notice tone="warning" says="politely" title="Copy the address now. It is not shown again.">
        Whoever has it sees the preview. Nothing of a preview is counted.
      </Notice>
      <CopyField label="Address of the preview" value={url} />
      <div className={classes.code}>
        <QrCode text={url} label="QR code of the address, for a phone" />
      </div>
      <Text size="sm">
        The tab in which it is opened keeps showing the preview. A badge on the page says so, and switches between the
        variations.
      </Text>
      <div>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  )
}
