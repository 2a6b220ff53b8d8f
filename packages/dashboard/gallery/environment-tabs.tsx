import { useState } from 'react'
import { EnvironmentTabs } from '../src/ui/layout/environment-tabs.tsx'
import { Specimen } from './gallery.tsx'
import { hostile } from './samples.ts'

const environments = [
  { key: 'production', name: 'Production', color: '#d6336c', isProtected: true, unpublished: 2 },
  { key: 'staging', name: 'Staging', color: '#f59e0b', isProtected: false, unpublished: 0 },
  { key: 'development', name: 'Development', color: '#1c7ed6', isProtected: false, unpublished: 12 },
]

export default function EnvironmentTabsPage() {
  const [chosen, setChosen] = useState('production')
  const [other, setOther] = useState('a')
  return (
    <>
      <Specimen title="Three environments">
        <EnvironmentTabs environments={environments} chosen={chosen} onChoose={setChosen} />
      </Specimen>
      <Specimen title="Many, with hostile names">
        <EnvironmentTabs
          environments={Object.entries({ a: 'Production', ...hostile, b: 'Review apps', c: 'Load tests' }).map(
            ([key, name]) => ({ key, name, color: '#ffffff', isProtected: key === 'long', unpublished: 0 }),
          )}
          chosen={other}
          onChoose={setOther}
        />
      </Specimen>
    </>
  )
}
