const pollIntervalMs = 2_000
const looks = {
  old: {
    title: 'Checkout',
    lead: 'Three steps to your order.',
    steps: ['Address', 'Delivery', 'Payment'],
    pay: 'Next step',
  },
  new: {
    title: 'Express checkout',
    lead: 'Everything on one page, one tap to pay.',
    steps: [],
    pay: 'Pay € 28.50 now',
  },
}

const query = new URLSearchParams(location.search)
const form = document.querySelector('form')
for (const input of form.querySelectorAll('input')) input.value = query.get(input.name) || input.value
const { sdkKey, baseUrl, flag, visitor } = Object.fromEntries(new FormData(form))
const root = baseUrl.replace(/\/+$/, '')

write('flag', flag)
dress(false)
if (sdkKey) connect()
else notify('No SDK key yet. Enter the SDK key of an environment below and press Connect.')

async function connect() {
  try {
    const { createClient } = await import(`${root}/sdk/v1/svc.js`)
    const client = createClient({ sdkKey, baseUrl: root, pollIntervalMs })
    for (const event of ['ready', 'change', 'status', 'error']) client.on(event, () => render(client))
  } catch (fault) {
    notify(`The service at ${root} does not answer. The page shows its default. Reload to try again.`)
    console.warn(fault)
  }
}

function render(client) {
  const { value, variationKey, reason, errorCode } = client.getDetails(flag, false, { targetingKey: visitor })
  dress(value)
  write('value', String(value))
  write('variation', variationKey ?? 'none')
  write('reason', errorCode ?? reason)
  write('revision', String(client.revision ?? 'none'))
  write('status', client.status)
  if (client.revision !== null) write('announcement', `${flag} is ${value}, revision ${client.revision}`)
  notify(problemOf(client.status, errorCode))
}

function problemOf(status, errorCode) {
  if (status === 'stale') return `The service at ${root} does not answer. The page keeps the last known values.`
  if (errorCode === 'NOT_READY') return `No data file from ${root} yet. Is the SDK key right and the service up?`
  if (errorCode === 'FLAG_NOT_FOUND') return `This environment has no flag “${flag}”. The page shows its default.`
  if (errorCode) return `The flag “${flag}” cannot be read as true or false (${errorCode}).`
  return ''
}

function dress(isNew) {
  const look = looks[isNew ? 'new' : 'old']
  document.body.dataset.checkout = isNew ? 'new' : 'old'
  write('title', look.title)
  write('lead', look.lead)
  write('pay', look.pay)
  const steps = document.getElementById('steps')
  steps.hidden = !look.steps.length
  steps.replaceChildren(...look.steps.map((step) => Object.assign(document.createElement('li'), { textContent: step })))
}

function notify(message) {
  document.getElementById('notice').hidden = !message
  write('notice', message)
}

/** Does not write equal text, so that screen readers do not repeat it. */
function write(id, text) {
  const element = document.getElementById(id)
  if (element.textContent !== text) element.textContent = text
}
