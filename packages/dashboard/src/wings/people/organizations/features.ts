/** The features of an organization, in words. */
const texts: Record<string, string> = {
  integrations_api_export: 'Integrations: webhooks, destinations, deliveries and the event feed.',
}

export const featureText = (feature: string): string => texts[feature] ?? feature
