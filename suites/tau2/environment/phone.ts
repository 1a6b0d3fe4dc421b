/** The phone of a user in tau2's telecom: its state, and thirty tools that answer in sentences. */
import { apn, type Device, type Permissions, preferences, type Surroundings } from "./phone-state.ts";
import { tool, type Tools } from "./toolkit.ts";
import {
  equal,
  fail,
  type Fields,
  Float,
  isMapping,
  numberOf,
  rounded,
  shown,
  twoDecimals,
  type Value,
} from "./value.ts";

const signalSigns: Readonly<Record<string, string>> = {
  none: "📵 No Signal",
  poor: "📶¹ Poor",
  fair: "📶² Fair",
  good: "📶³ Good",
  excellent: "📶⁴ Excellent",
};
/** Lowest and highest speed in Mbps by technology, and the factor by signal. */
const speeds: Readonly<Record<string, readonly [number, number]>> = {
  "2G": [0.1, 0.4],
  "3G": [1, 5],
  "4G": [10, 100],
  "5G": [50, 500],
};
const signalFactors: Readonly<Record<string, number>> = { poor: 0.2, fair: 0.5, good: 0.8, excellent: 1 };
const advice: Readonly<Record<string, string>> = {
  "Very Poor": "Connection is very slow. Basic web browsing might be difficult.",
  Poor: "Connection is slow. Web browsing may be sluggish, streaming difficult.",
  Fair: "Connection is okay for web browsing and some standard definition streaming.",
  Good: "Connection is good for most activities, including HD streaming.",
  Excellent: "Connection is very fast.",
};
const simTexts: Readonly<Record<string, string>> = {
  active: "Your SIM card is active and working.",
  missing: "No SIM card detected in the phone.",
  locked_pin: "The SIM card is locked with a PIN code.",
  locked_puk: "The SIM card is locked with a PUK code.",
};
const onOff = (on: boolean) => (on ? "ON" : "OFF");
const yesNo = (yes: boolean) => (yes ? "Yes" : "No");

export class Phone {
  readonly state: Fields & { readonly device: Device; readonly surroundings: Surroundings };

  /** The settings of the VPN connection; broken settings stay broken within an episode. */
  readonly #vpn = { server_address: "192.168.1.1", protocol: "OpenVPN", server_performance: "excellent" };

  /** Takes a state that no other object uses, because calls change it. */
  constructor(given: Fields) {
    this.state = given as Phone["state"];
  }

  get surroundings(): Surroundings {
    return this.state.surroundings;
  }

  get #device(): Device {
    return this.state.device;
  }

  /** The tools that a model can call. */
  readonly tools: Tools = {
    check_status_bar: tool("read", "", () => `Status Bar: ${this.statusBar()}`),
    check_network_status: tool("read", "", () => this.#networkStatus()),
    check_network_mode_preference: tool("read", "", () => {
      const mode = this.#device.network_mode_preference;
      return typeof mode === "string" ? `Network Mode Preference: ${mode}` : fail("object has no attribute 'value'");
    }),
    set_network_mode_preference: tool("write", "mode", ([mode]) => this.#setMode(mode!)),
    run_speed_test: tool("read", "", () => {
      const measured = this.#speed();
      if (measured === undefined) return "Speed test failed: No Connection.";
      return `Speed Test Result: ${twoDecimals(measured.speed)} Mbps (${measured.words}). ${advice[measured.words]}`;
    }),
    toggle_airplane_mode: tool("write", "", () =>
      this.#withBar(`Airplane Mode is now ${onOff(this.#toggleAirplane())}.`),
    ),
    check_sim_status: tool("read", "", () => simTexts[this.#sim]!),
    reseat_sim_card: tool("write", "", () => {
      this.#device.sim_card_missing = false;
      this.#search();
      return this.#withBar("SIM card re-seated successfully.");
    }),
    toggle_data: tool("write", "", () => this.#withBar(`Mobile Data is now ${onOff(this.#toggle("data_enabled"))}.`)),
    toggle_roaming: tool("write", "", () =>
      this.#withBar(`Data Roaming is now ${onOff(this.#toggle("roaming_enabled"))}.`),
    ),
    check_data_restriction_status: tool("read", "", () =>
      this.#device.data_saver_mode ? "Data Saver mode is ON (limits data usage)." : "Data Saver mode is OFF.",
    ),
    toggle_data_saver_mode: tool("write", "", () =>
      this.#withBar(`Data Saver Mode is now ${onOff(this.#flip("data_saver_mode"))}.`),
    ),
    check_apn_settings: tool("read", "", () => {
      const { apn_name: name, mmsc_url: url } = this.#apn;
      return `Current APN Name: ${shown(name!)}\nMMSC URL (for picture messages): ${shown(url === null || url === "" ? "Not Set" : url!)}\n(These are technical settings, usually best left unchanged.)`;
    }),
    set_apn_settings: tool("write", "apn_settings", ([settings]) => this.#setApn(settings!)),
    reset_apn_settings: tool("write", "", () => {
      this.#apn["reset_at_reboot"] = true;
      this.#search();
      return this.#withBar("APN settings will reset at reboot.");
    }),
    check_wifi_status: tool("read", "", () => {
      const {
        wifi_enabled: enabled,
        wifi_connected: connected,
        wifi_ssid: name,
        wifi_signal_strength: strength,
      } = this.#device;
      if (!enabled) return "Wi-Fi is turned OFF.";
      if (!connected) return "Wi-Fi is ON but not connected to any network.";
      return `Wi-Fi is ON and connected to '${shown(name)}'. Signal strength: ${strength}.`;
    }),
    toggle_wifi: tool("write", "", () => this.#toggleWifi()),
    check_wifi_calling_status: tool(
      "read",
      "",
      () => `Wi-Fi Calling is currently turned ${onOff(this.#device.wifi_calling_enabled)}.`,
    ),
    toggle_wifi_calling: tool("write", "", () =>
      this.#withBar(`Wi-Fi Calling is now ${onOff(this.#flip("wifi_calling_enabled"))}.`),
    ),
    check_vpn_status: tool("read", "", () => this.#vpnStatus()),
    connect_vpn: tool("write", "", () => {
      if (this.#device.vpn_connected) return "VPN already connected.";
      this.#connectVpn();
      return this.#withBar("VPN connected successfully.");
    }),
    disconnect_vpn: tool("write", "", () => {
      const words = this.#device.vpn_connected
        ? "VPN disconnected successfully."
        : "No active VPN connection to disconnect.";
      this.#disconnectVpn();
      return this.#withBar(words);
    }),
    check_installed_apps: tool(
      "read",
      "",
      () => `The following apps are installed on the phone: ${[...this.#device.app_statuses.keys()].join(", ")}`,
    ),
    check_app_status: tool("read", "app_name", ([name]) => this.#appStatus(name!)),
    check_app_permissions: tool("read", "app_name", ([name]) => {
      const granted = this.#granted(name!);
      if (granted === undefined) return `App '${shown(name!)}' not found on this phone.`;
      return granted.length === 0
        ? `App '${shown(name!)}' currently has no permissions granted.`
        : `App '${shown(name!)}' has permission for: ${granted.join(", ")}.`;
    }),
    grant_app_permission: tool("write", "app_name permission", ([name, permission]) => this.#grant(name!, permission!)),
    can_send_mms: tool(
      "read",
      "",
      () => `Your messaging app ${this.#canSendMms() ? "can" : "cannot"} send MMS messages.`,
    ),
    reboot_device: tool("write", "", () => this.#reboot()),
    check_payment_request: tool("read", "", () => {
      const request = this.surroundings.payment_request;
      if (request === null) return "No payment request has been made.";
      return `You have a payment request for bill ${request.bill_id} of ${shown(request.amount_due)} USD.`;
    }),
    make_payment: tool("write", "", () => {
      const request = this.surroundings.payment_request;
      if (request === null) return "You do not have a payment request.";
      request.paid = true;
      return `Payment of ${shown(request.amount_due)} USD has been made for bill ${request.bill_id}.`;
    }),
  };

  /** Functions of initial states and assertions that models do not have. */
  readonly functions: Tools = {
    set_user_info: tool("write", "name phone_number", ([name, number]) => {
      Object.assign(this.surroundings, { name: name!, phone_number: number! });
      return null;
    }),
    set_user_location: tool("write", "abroad", ([abroad]) => {
      this.surroundings.is_abroad = abroad!;
      return null;
    }),
    turn_airplane_mode_on: tool("write", "", () => this.#turn(() => this.#toggleAirplane(), true)),
    turn_airplane_mode_off: tool("write", "", () => this.#turn(() => this.#toggleAirplane(), false)),
    // This alone does not search for a network.
    turn_data_on: tool("write", "", () => {
      this.#device.data_enabled = true;
      return null;
    }),
    turn_data_off: tool("write", "", () => this.#turn(() => this.#toggle("data_enabled"), false)),
    turn_roaming_on: tool("write", "", () => this.#turn(() => this.#toggle("roaming_enabled"), true)),
    turn_roaming_off: tool("write", "", () => this.#turn(() => this.#toggle("roaming_enabled"), false)),
    turn_data_saver_mode_on: tool("write", "", () => this.#turn(() => this.#flip("data_saver_mode"), true)),
    turn_data_saver_mode_off: tool("write", "", () => this.#turn(() => this.#flip("data_saver_mode"), false)),
    unseat_sim_card: tool("write", "", () => {
      this.#device.sim_card_missing = true;
      this.#search();
      return null;
    }),
    lock_sim_card: tool("write", "mode", ([mode]) => {
      if (mode === "pin" || mode === "puk") this.#device.sim_card_status = `locked_${mode}`;
      this.#search();
      return null;
    }),
    break_apn_settings: tool("write", "", () => {
      this.#apn["apn_name"] = "broken";
      this.#search();
      return null;
    }),
    break_apn_mms_setting: tool("write", "", () => {
      this.#apn["mmsc_url"] = null;
      return null;
    }),
    // The official program spoils an object that all environments of a process share; each episode has its own here.
    break_vpn: tool("write", "", () => {
      if (!this.#device.vpn_connected) this.#connectVpn();
      this.#device.vpn_details!.server_performance = "poor";
      return null;
    }),
    set_wifi_calling: tool(
      "write",
      "enabled mms_over_wifi",
      ([enabled, mms]) => {
        this.#device.wifi_calling_enabled = enabled as boolean;
        if (mms !== null) this.#device.wifi_calling_mms_over_wifi = mms as boolean;
        return null;
      },
      { mms_over_wifi: null },
    ),
    remove_app_permission: tool("write", "app_name permission", ([name, permission]) => {
      const held = this.#device.app_statuses.get(name as string)?.permissions;
      const key = (permission as string).toLowerCase();
      if (held !== undefined && Object.hasOwn(held, key)) held[key] = false;
      return null;
    }),
    simulate_network_search: tool("write", "", () => {
      this.#search();
      return null;
    }),
    assert_airplane_mode_status: this.#assertion(() => this.#device.airplane_mode),
    assert_service_status: this.#assertion(() => this.#device.network_connection_status),
    assert_mobile_data_status: this.#assertion(() => this.#dataWorks()),
    assert_mobile_roaming_status: this.#assertion(() => this.#device.roaming_enabled),
    assert_mobile_data_saver_mode_status: this.#assertion(() => this.#device.data_saver_mode),
    assert_can_send_mms: this.#assertion(() => this.#canSendMms()),
    assert_mobile_data_usage_exceeded: this.#assertion(() => this.surroundings.mobile_data_usage_exceeded),
    assert_internet_speed: tool(
      "read",
      "expected_speed expected_desc",
      ([expected, words]) => {
        const measured = this.#speed() ?? { speed: 0, words: "No Connection" };
        const reached = measured.speed >= numberOf(expected!);
        return words === null ? reached : reached && measured.words.toLowerCase() === String(words).toLowerCase();
      },
      { expected_desc: null },
    ),
  };

  #assertion(found: () => Value): Tools[string] {
    return tool("read", "expected_status", ([expected]) => equal(found(), expected!));
  }

  /** Toggles a setting, and toggles it again if it changed to the wrong value. */
  #turn(toggle: () => boolean, wanted: boolean): Value {
    if (toggle() !== wanted) toggle();
    return null;
  }

  statusBar(): string {
    const own = this.#device;
    const hasNetwork = own.network_technology_connected !== "none";
    const parts: string[] = [];
    if (own.airplane_mode) parts.push("✈️ Airplane Mode");
    else {
      parts.push(signalSigns[own.network_signal_strength] ?? signalSigns["none"]!);
      if (hasNetwork) parts.push(own.network_technology_connected);
      parts.push(own.data_enabled && hasNetwork ? "📱 Data Enabled" : "📵 Data Disabled");
      if (own.data_enabled && hasNetwork && own.data_saver_mode) parts.push("🔽 Data Saver");
    }
    if (own.wifi_enabled && own.wifi_connected)
      parts.push(own.wifi_ssid === null || own.wifi_ssid === "" ? "📡 Enabled" : `📡 Connected to ${own.wifi_ssid}`);
    if (own.vpn_connected) parts.push("🔒 VPN Connected");
    return [...parts, `🔋 ${own.battery_level}%`].join(" | ");
  }

  #withBar(words: string): string {
    return `${words}\nStatus Bar: ${this.statusBar()}`;
  }

  /** The settings, which a failed call may have replaced by a value of another type. */
  get #apn(): { [field: string]: Value } {
    const settings = this.#device.active_apn_settings;
    return isMapping(settings) ? (settings as { [field: string]: Value }) : fail("object has no attribute 'apn_name'");
  }

  get #sim(): string {
    return this.#device.sim_card_missing ? "missing" : this.#device.sim_card_status;
  }

  #networkStatus(): string {
    const own = this.#device;
    const lines = [
      `Airplane Mode: ${onOff(own.airplane_mode)}`,
      `SIM Card Status: ${this.#sim}`,
      `Cellular Connection: ${own.network_connection_status}`,
      `Cellular Signal: ${own.network_signal_strength}`,
      `Cellular Network Type: ${own.network_technology_connected}`,
      `Mobile Data Enabled: ${yesNo(own.data_enabled)}`,
      `Data Roaming Enabled: ${yesNo(own.roaming_enabled)}`,
      `Wi-Fi Radio: ${onOff(own.wifi_enabled)}`,
      `Wi-Fi Connected: ${yesNo(own.wifi_connected)}`,
    ];
    if (own.wifi_connected) lines.push(`Connected Wi-Fi Network: ${shown(own.wifi_ssid)}`);
    return lines.join("\n");
  }

  #setMode(mode: Value): string {
    if (typeof mode === "string" && !preferences.includes(mode))
      return this.#withBar(
        `Failed to set network mode: '${mode}' is not a valid option. Please use one of: ${preferences.join(", ")}`,
      );
    this.#device.network_mode_preference = mode;
    this.#search();
    if (mode === null)
      return this.#withBar(
        `Failed to set network mode: 'None' is not a valid option. Please use one of: ${preferences.join(", ")}`,
      );
    if (typeof mode !== "string") return fail("object has no attribute 'value'");
    return this.#withBar(`Preferred Network Mode set to: ${mode}`);
  }

  #dataWorks(): boolean {
    const own = this.#device;
    const { is_abroad: abroad, roaming_allowed: allowed, mobile_data_usage_exceeded: exceeded } = this.surroundings;
    if (own.airplane_mode || own.network_signal_strength === "none") return false;
    if (own.network_connection_status === "no_service") return false;
    if (abroad === true && !(own.roaming_enabled && allowed)) return false;
    return own.data_enabled && !exceeded;
  }

  /** Returns the Mbps and the word for them; undefined without a connection. */
  #speed(): { readonly speed: number; readonly words: string } | undefined {
    const own = this.#device;
    if (!this.#dataWorks()) return undefined;
    let factor = own.vpn_connected && own.vpn_details?.server_performance === "poor" ? 0.1 : 1;
    if (own.data_saver_mode) factor *= 0.2;
    const [least, most] = speeds[own.network_technology_connected] ?? [0, 0];
    const speed = rounded(((least + most) / 2) * (signalFactors[own.network_signal_strength] ?? 0) * factor);
    const words =
      speed < 1 ? "Very Poor" : speed < 5 ? "Poor" : speed < 25 ? "Fair" : speed < 100 ? "Good" : "Excellent";
    return { speed, words };
  }

  #toggleAirplane(): boolean {
    const own = this.#device;
    const wasOn = own.airplane_mode;
    own.airplane_mode = !wasOn;
    if (wasOn) own.network_connection_status = "searching";
    if (!wasOn || own.wifi_enabled) this.#leaveWifi();
    if (!wasOn) this.#disconnectVpn();
    this.#search();
    return own.airplane_mode;
  }

  #leaveWifi(): void {
    Object.assign(this.#device, { wifi_connected: false, wifi_ssid: null, wifi_signal_strength: "none" });
  }

  #flip(field: "data_saver_mode" | "wifi_calling_enabled"): boolean {
    const own = this.#device;
    own[field] = !own[field];
    return own[field];
  }

  #toggle(field: "data_enabled" | "roaming_enabled"): boolean {
    const own = this.#device;
    own[field] = !own[field];
    const is = own[field];
    this.#search();
    return is;
  }

  #setApn(given: Value): string {
    const isGiven = isMapping(given);
    this.#device.active_apn_settings = isGiven ? apn(given) : given;
    if (!isGiven) fail("object has no attribute 'apn_name'");
    this.#search();
    return this.#withBar(`APN settings set to: ${shown(this.#apn["apn_name"]!)}`);
  }

  #toggleWifi(): string {
    const own = this.#device as { wifi_enabled: boolean } & Device;
    if (own.airplane_mode) return this.#withBar("Cannot change Wi-Fi settings while Airplane Mode is ON.");
    own.wifi_enabled = !own.wifi_enabled;
    if (!own.wifi_enabled) this.#leaveWifi();
    return this.#withBar(`Wi-Fi is now ${onOff(own.wifi_enabled)}.`);
  }

  #vpnStatus(): string {
    const { vpn_connected: connected, vpn_details: details, vpn_enabled_setting: enabled } = this.#device;
    if (!connected)
      return enabled ? "VPN is turned ON in settings, but currently not connected." : "VPN is turned OFF.";
    if (details === null) return "VPN is ON and connected (no specific details available).";
    const { server_address: address, protocol, server_performance: performance } = details;
    // The official program prints a dictionary of Python with a member of an enumeration.
    const level = `<PerformanceLevel.${performance.toUpperCase()}: '${performance}'>`;
    return `VPN is ON and connected. Details: {'server_address': '${address}', 'protocol': '${protocol}', 'server_performance': ${level}}`;
  }

  #connectVpn(): void {
    this.#device.vpn_connected = true;
    this.#device.vpn_details = this.#vpn;
  }

  #disconnectVpn(): void {
    if (!this.#device.vpn_connected) return;
    this.#device.vpn_connected = false;
    this.#device.vpn_details = null;
  }

  #app(name: Value): { readonly permissions: Permissions } | undefined {
    if (typeof name === "object" && name !== null && !(name instanceof Float)) fail("unhashable type");
    return typeof name === "string" ? this.#device.app_statuses.get(name) : undefined;
  }

  #granted(name: Value): readonly string[] | undefined {
    const app = this.#app(name);
    if (app === undefined) return undefined;
    return Object.entries(app.permissions).flatMap(([permission, allowed]) => (allowed ? [permission] : []));
  }

  #appStatus(name: Value): string {
    const granted = this.#granted(name);
    if (granted === undefined) return `App '${shown(name)}' not found on this phone.`;
    const lines =
      granted.length === 0
        ? [" - Permissions: None granted."]
        : [" - Permissions Granted:", ...granted.map((permission) => `   - ${permission}`)];
    return [`Status for App: ${shown(name)}`, ...lines].join("\n");
  }

  #grant(name: Value, given: Value): string {
    const app = this.#app(name);
    const permission = typeof given === "string" ? given.toLowerCase() : fail("object has no attribute 'lower'");
    if (app === undefined) return this.#withBar(`Error. App '${shown(name)}' not found. Cannot grant permission.`);
    const tracked = Object.keys(app.permissions);
    if (!tracked.includes(permission))
      return this.#withBar(
        `Error. Permission '${permission}' not tracked for app '${shown(name)}', available permissions: ${shown(tracked)}`,
      );
    app.permissions[permission] = true;
    return this.#withBar(`Success. Permission '${permission}' granted to app '${shown(name)}'.`);
  }

  #canSendMms(): boolean {
    const own = this.#device;
    if (!this.#dataWorks() || own.network_technology_connected === "2G") return false;
    if (own.wifi_calling_enabled && own.wifi_calling_mms_over_wifi) return false;
    if (this.#apn["mmsc_url"] === null) return false;
    const held = own.app_statuses.get("messaging")?.permissions;
    return held !== undefined && held["storage"] === true && held["sms"] === true;
  }

  #reboot(): string {
    const resets = this.#apn["reset_at_reboot"] === true;
    if (resets) this.#device.active_apn_settings = apn({});
    this.#device.network_connection_status = "searching";
    this.#search();
    return this.#withBar(`${resets ? "Resetting APN settings...\n" : ""}Restarting network services...`);
  }

  /** Looks for a network, as the phone does after most changes. */
  #search(): void {
    const own = this.#device;
    const { signal_strength: signals, line_active: active } = this.surroundings;
    const strengthOf = (technology: string) => signals.get(technology) ?? "none";
    if (this.#sim === "active") {
      const wanted = { "3g_only": "3G", "2g_only": "2G", "4g_only": "4G", "4g_5g_preferred": "5G" }[
        typeof own.network_mode_preference === "string" ? own.network_mode_preference : "4g_only"
      ];
      const technology = wanted === "5G" && strengthOf("5G") === "none" ? "4G" : (wanted ?? "4G");
      own.network_connection_status = "connected";
      own.network_technology_connected = technology;
      own.network_signal_strength = strengthOf(technology);
    } else this.#loseNetwork();
    if (own.airplane_mode) this.#loseNetwork();
    // Settings that a failed call replaced end the search here.
    if (this.#apn["apn_name"] === "broken" || !active) this.#loseNetwork();
  }

  #loseNetwork(): void {
    Object.assign(this.#device, {
      network_connection_status: "no_service",
      network_technology_connected: "none",
      network_signal_strength: "none",
    });
  }
}
