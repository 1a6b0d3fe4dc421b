/** The state of the phone of a user in tau2's telecom, and of its surroundings. */
import { bool, defaulting, dictionaryOf, float, int, model, oneOf, optional, text } from "./model.ts";
import type { Fields, Float, Value } from "./value.ts";

const strict = { strict: true };
const off = defaulting(bool, () => false);
const signal = oneOf("none", "poor", "fair", "good", "excellent");
export const preferences = ["4g_5g_preferred", "4g_only", "3g_only", "2g_only"];
export const apn = model(
  {
    apn_name: defaulting(oneOf("internet", "broken"), () => "internet"),
    reset_at_reboot: off,
    mms_apn: defaulting<string | null>(optional(text), () => "mms"),
    mmsc_url: defaulting<string | null>(optional(text), () => "http://mms.carrier.com/mms/wapenc"),
    mms_proxy: optional(text),
    mms_port: optional(int),
  },
  strict,
);
const permissions = model({ sms: off, storage: off, phone: off, network: off }, strict);
const device = model(
  {
    sim_card_status: oneOf("active", "missing", "locked_pin", "locked_puk"),
    sim_card_missing: off,
    airplane_mode: off,
    network_signal_strength: signal,
    network_technology_connected: oneOf("none", "2G", "3G", "4G", "5G"),
    network_connection_status: oneOf("connected", "searching", "no_service", "emergency_only"),
    battery_level: int,
    data_enabled: off,
    roaming_enabled: off,
    network_mode_preference: oneOf(...preferences),
    active_apn_settings: apn,
    wifi_enabled: off,
    wifi_connected: off,
    wifi_ssid: optional(text),
    wifi_signal_strength: signal,
    wifi_calling_enabled: off,
    wifi_calling_mms_over_wifi: off,
    data_saver_mode: off,
    vpn_enabled_setting: off,
    vpn_connected: off,
    vpn_details: optional(
      model({ server_address: optional(text), protocol: optional(text), server_performance: text }, strict),
    ),
    app_statuses: dictionaryOf(model({ app_name: text, permissions }, strict)),
  },
  strict,
);
const surroundings = model(
  {
    name: optional(text),
    phone_number: optional(text),
    is_abroad: off,
    roaming_allowed: off,
    signal_strength: defaulting(
      dictionaryOf(signal),
      () => new Map(Object.entries({ "2G": "poor", "3G": "fair", "4G": "good", "5G": "excellent" })),
    ),
    mobile_data_usage_exceeded: off,
    line_active: defaulting(bool, () => true),
    payment_request: optional(model({ bill_id: text, amount_due: float, paid: off }, strict)),
  },
  strict,
);
const state = model({ device, surroundings: defaulting(surroundings, () => surroundings({})) }, strict);

export type Permissions = { [name: string]: boolean };
export type Device = Fields & {
  sim_card_status: string;
  sim_card_missing: boolean;
  airplane_mode: boolean;
  network_signal_strength: string;
  network_technology_connected: string;
  network_connection_status: string;
  readonly battery_level: number;
  data_enabled: boolean;
  roaming_enabled: boolean;
  /** A mode that is no text is stored before it is refused. */
  network_mode_preference: Value;
  active_apn_settings: Value;
  readonly wifi_enabled: boolean;
  wifi_connected: boolean;
  wifi_ssid: string | null;
  wifi_signal_strength: string;
  wifi_calling_enabled: boolean;
  wifi_calling_mms_over_wifi: boolean;
  data_saver_mode: boolean;
  readonly vpn_enabled_setting: boolean;
  vpn_connected: boolean;
  vpn_details: { server_address: string; protocol: string; server_performance: string } | null;
  readonly app_statuses: ReadonlyMap<string, { readonly permissions: Permissions }>;
};
export type Surroundings = Fields & {
  name: Value;
  phone_number: Value;
  is_abroad: Value;
  roaming_allowed: boolean;
  readonly signal_strength: ReadonlyMap<string, string>;
  mobile_data_usage_exceeded: boolean;
  line_active: boolean;
  payment_request: { readonly bill_id: string; readonly amount_due: Float; paid: boolean } | null;
};

/** Reads the state of a phone. Throws `ToolFailure` for data that do not fit. */
export function readPhone(data: Value): Fields {
  return state(data);
}
