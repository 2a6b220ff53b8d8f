import { Stack } from '@mantine/core'
import { useState } from 'react'
import { PercentField } from '../src/ui/form/percent-field.tsx'
import { SplitControl } from '../src/ui/form/split-control.tsx'
import { Specimen } from './gallery.tsx'
import { hostile } from './samples.ts'

const two = [
  { key: 'control', name: 'control' },
  { key: 'short', name: 'short' },
]
const four = [...two, { key: 'long', name: hostile.long }, { key: 'rtl', name: hostile.rightToLeft }]

export default function Shares() {
  const [share, setShare] = useState(5000)
  const [pair, setPair] = useState([8000, 2000])
  const [many, setMany] = useState([2500, 2500, 2500, 2500])
  return (
    <>
      <Specimen title="Share">
        <Stack gap="md">
          <PercentField
            label="Share"
            value={share}
            live={2500}
            onChange={setShare}
            description="Raising the share adds visitors; nobody who has on loses it."
          />
          <PercentField label="Traffic" value={1} onChange={() => {}} error="Must be at least 1 %." />
        </Stack>
      </Specimen>
      <Specimen title="Split of two">
        <SplitControl label="Split" variations={two} weights={pair} live={[5000, 5000]} onChange={setPair} />
      </Specimen>
      <Specimen title="Split of four">
        <SplitControl label="Split" variations={four} weights={many} onChange={setMany} />
      </Specimen>
    </>
  )
}
