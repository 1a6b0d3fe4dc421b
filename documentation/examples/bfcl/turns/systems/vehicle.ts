/** VehicleControlAPI: a car. */
import { add, among, compare, dict, divide, float, iterate, multiply, subtract } from "../python/operations.ts";
import { Dict, equal, type Py, text, truth } from "../python/value.ts";
import { error, type Method, record, type Setting, System } from "./system.ts";

const attributes = [
  "fuelLevel",
  "batteryVoltage",
  "engine_state",
  "remainingUnlockedDoors",
  "doorStatus",
  "acTemperature",
  "fanSpeed",
  "acMode",
  "humidityLevel",
  "headLightStatus",
  "parkingBrakeStatus",
  "_parkingBrakeForce",
  "_slopeAngle",
  "brakePedalStatus",
  "_brakePedalForce",
  "distanceToNextVehicle",
  "cruiseStatus",
  "destination",
  "frontLeftTirePressure",
  "frontRightTirePressure",
  "rearLeftTirePressure",
  "rearRightTirePressure",
];
/** What scenarios call attributes of another name, and what the default state does. */
const scenarioNames: Readonly<Record<string, string>> = {
  engine_state: "engineState",
  _parkingBrakeForce: "parkingBrakeForce",
  _slopeAngle: "slopeAngle",
  _brakePedalForce: "brakePedalForce",
};
const defaultNames: Readonly<Record<string, string>> = { _brakePedalForce: "brakePedalForce" };

const tank = 50n;
const milesPerGallon = 20;
const tyres = ["frontLeftTirePressure", "frontRightTirePressure", "rearLeftTirePressure", "rearRightTirePressure"];

/** Kilometres between zip codes, in both directions. */
const distances: Readonly<Record<string, number>> = {
  "83214 74532": 750,
  "56108 62947": 320,
  "71354 83462": 450,
  "47329 52013": 290,
  "69238 51479": 630,
  "94016 83214": 980,
  "94016 94704": 600,
  "94704 08540": 2550,
  "94016 08540": 1950,
  "62947 47329": 1053,
  "94016 62947": 780,
  "74532 94016": 880,
};
const zipCodes: Readonly<Record<string, string>> = {
  Rivermist: "83214",
  Stonebrook: "74532",
  Maplecrest: "56108",
  Silverpine: "62947",
  Shadowridge: "71354",
  "Sunset Valley": "83462",
  Oakendale: "47329",
  Willowbend: "52013",
  "Crescent Hollow": "69238",
  Autumnville: "51479",
  "San Francisco": "94016",
};

/** Python's remainder has the sign of the divisor; only whether it is 0 matters here. */
const isMultiple = (value: number, of: number) => value % of === 0;

export class Vehicle extends System {
  readonly typeName = "VehicleControlAPI";
  protected override readonly seed = 141_053n;

  constructor(setting: Setting) {
    super(setting);
    const { scenario, tables, isLong } = setting;
    const named = (names: Readonly<Record<string, string>>, from: Py | undefined) =>
      new Dict(
        attributes.flatMap((name) => {
          const key = names[name] ?? name;
          return from instanceof Dict && from.has(key) ? [[name, from.at(key)] as const] : [];
        }),
      );
    this.load(attributes, named(scenarioNames, scenario), named(defaultNames, tables.get("DEFAULT_STATE")));
    const doors = this.get("doorStatus");
    const locked = doors instanceof Dict ? doors.values().filter((state) => state === "locked").length : 0;
    this.set("remainingUnlockedDoors", 4n - BigInt(locked));
    this.set("long_context", isLong);
  }

  override stateText(): Readonly<Record<string, string>> {
    const hidden = ["_parkingBrakeForce", "_slopeAngle", "_brakePedalForce"];
    return { ...super.stateText(), ...Object.fromEntries(hidden.map((name) => [name, text(this.get(name))])) };
  }

  /** Adds what only long contexts have. */
  #longer(fields: Readonly<Record<string, string>>): Readonly<Record<string, Py>> {
    if (!this.setting.isLong) return {};
    return Object.fromEntries(
      Object.entries(fields).map(([name, from]) => [name, this.setting.extensions.get(from) ?? null]),
    );
  }

  #start(mode: Py): Py {
    if (equal(mode, "STOP")) this.set("engine_state", "stopped");
    if (compare(this.get("remainingUnlockedDoors"), ">", 0n)) {
      const open = dict(this.get("doorStatus"), "items")
        .entries()
        .filter(([, state]) => equal(state, "unlocked"));
      return error(
        `All doors must be locked before starting the engine. Here are the unlocked doors: ${open.map(([door]) => text(door)).join(", ")}`,
      );
    }
    if (!equal(this.get("brakePedalStatus"), "pressed"))
      return error("Brake pedal needs to be pressed when starting the engine.");
    if (!equal(this.get("_brakePedalForce"), 1000))
      return error("Must press the brake fully before starting the engine.");
    if (compare(this.get("fuelLevel"), "<", 0)) return error("Fuel tank is empty.");
    if (!equal(mode, "START")) return error("Invalid ignition mode.");
    this.set("engine_state", "running");
    return record({
      engineState: "running",
      fuelLevel: this.get("fuelLevel"),
      batteryVoltage: this.get("batteryVoltage"),
    });
  }

  #fill(amount: Py): Py {
    if (compare(amount, "<", 0n)) return error("Fuel amount cannot be negative.");
    const level = add(this.get("fuelLevel"), amount);
    if (compare(level, ">", tank)) return error("Cannot fill gas above the tank capacity.");
    if (compare(level, "<", 0)) return error("Fuel tank is empty. Min fuel level is 0 gallons.");
    this.set("fuelLevel", level);
    return record({ fuelLevel: level });
  }

  #lock(unlock: Py, doors: Py): Py {
    const state = truth(unlock) ? "unlocked" : "locked";
    const known = dict(this.get("doorStatus"), "items");
    for (const door of iterate(doors)) {
      if (equal(known.at(door), state)) continue;
      known.set(door, state);
      this.set("remainingUnlockedDoors", add(this.get("remainingUnlockedDoors"), state === "unlocked" ? 1n : -1n));
    }
    return record({ lockStatus: state, remainingUnlockedDoors: this.get("remainingUnlockedDoors") });
  }

  #climate(temperature: Py, unit: Py, fan: Py, mode: Py): Py {
    if (!(compare(0n, "<=", fan) && compare(fan, "<=", 100n))) return error("Fan speed must be between 0 and 100.");
    this.set("acTemperature", temperature);
    if (equal(unit, "fahrenheit")) this.set("acTemperature", divide(multiply(subtract(temperature, 32n), 5n), 9n));
    this.set("fanSpeed", fan);
    this.set("acMode", mode);
    return record({ currentACTemperature: temperature, climateMode: mode, humidityLevel: this.get("humidityLevel") });
  }

  #weather(): Py {
    const drawn = this.random.uniform(-10, 40);
    const long = this.setting.isLong ? this.setting.extensions.get("LONG_WEATHER_EXTENSION") : undefined;
    if (!(long instanceof Dict)) return record({ outsideTemperature: drawn });
    // A key that a report before has set keeps its place.
    const report = long.copy();
    report.set("outsideTemperature", drawn);
    return report;
  }

  #lights(mode: Py): Py {
    if (!among(mode, ["on", "off", "auto"])) return error("Invalid headlight mode.");
    const state = mode === "on" ? "on" : "off";
    this.set("headLightStatus", state);
    return record({ headlightStatus: state });
  }

  #status(option: Py): Py {
    const shown: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      fuel: { fuelLevel: "fuelLevel" },
      battery: { batteryVoltage: "batteryVoltage" },
      doors: { doorStatus: "doorStatus" },
      climate: {
        currentACTemperature: "acTemperature",
        fanSpeed: "fanSpeed",
        climateMode: "acMode",
        humidityLevel: "humidityLevel",
      },
      headlights: { headlightStatus: "headLightStatus" },
      parkingBrake: {
        parkingBrakeStatus: "parkingBrakeStatus",
        parkingBrakeForce: "_parkingBrakeForce",
        slopeAngle: "_slopeAngle",
      },
      brakePedal: { brakePedalStatus: "brakePedalStatus", brakePedalForce: "_brakePedalForce" },
      engine: { engineState: "engine_state" },
    };
    const fields = typeof option === "string" && Object.hasOwn(shown, option) ? shown[option] : undefined;
    const values =
      fields === undefined
        ? { error: "Invalid option" }
        : Object.fromEntries(Object.entries(fields).map(([name, from]) => [name, this.get(from)]));
    return record({ ...this.#longer({ metadata: "CAR_STATUS_METADATA_EXTENSION" }), ...values });
  }

  #park(mode: Py): Py {
    if (!among(mode, ["engage", "release"])) return error("Invalid mode");
    const [state, force] = mode === "engage" ? ["engaged", 500] : ["released", 0];
    this.set("parkingBrakeStatus", state!);
    this.set("_parkingBrakeForce", force!);
    this.set("_slopeAngle", 10);
    return record({
      ...this.#longer({ parkingBrakeInstruction: "PARKING_BRAKE_INSTRUCTION" }),
      parkingBrakeStatus: state!,
      _parkingBrakeForce: force!,
      _slopeAngle: 10,
    });
  }

  #press(position: Py): Py {
    if (!(compare(0n, "<=", position) && compare(position, "<=", 1n)))
      return error("Pedal position must be between 0 and 1.");
    if (equal(position, 0n)) return this.#release();
    const force = multiply(position, 1000n);
    this.set("brakePedalStatus", "pressed");
    this.set("_brakePedalForce", force);
    return record({ brakePedalStatus: "pressed", brakePedalForce: float(force) });
  }

  #release(): Py {
    this.set("brakePedalStatus", "released");
    this.set("_brakePedalForce", 0);
    return record({ brakePedalStatus: "released", brakePedalForce: 0 });
  }

  #cruise(speed: Py, activate: Py, distance: Py): Py {
    const to = float(distance);
    const at = float(speed);
    if (equal(this.get("engine_state"), "stopped"))
      return error("Start the engine before activating the cruise control.");
    this.set("distanceToNextVehicle", to);
    if (truth(activate) && (at < 0 || at > 120 || !isMultiple(at, 5))) return error("Invalid speed");
    const state = truth(activate) ? "active" : "inactive";
    this.set("cruiseStatus", state);
    return record({ cruiseStatus: state, currentSpeed: at, distanceToNextVehicle: to });
  }

  #distance(from: Py, to: Py): Py {
    const known =
      typeof from === "string" && typeof to === "string"
        ? (distances[`${from} ${to}`] ?? distances[`${to} ${from}`])
        : undefined;
    return record({
      ...(known === undefined ? { error: "distance not found in database." } : { distance: known }),
      ...this.#longer({ intermediaryCities: "INTERMEDIARY_CITIES" }),
    });
  }

  #navigate(destination: Py): Py {
    this.set("destination", destination);
    return record({ status: add("Navigating to ", destination) });
  }

  #pressures(): Py {
    const values = tyres.map((name) => this.get(name));
    const mean = divide(
      values.reduce((sum, each) => add(sum, each)),
      4n,
    );
    return record({
      ...Object.fromEntries(tyres.map((name, index) => [name, values[index]!])),
      healthy_tire_pressure: mean >= 30 && mean <= 35,
      car_info: new Dict(),
      ...this.#longer({ car_info: "CAR_STATUS_METADATA_EXTENSION" }),
    });
  }

  protected readonly methods: Readonly<Record<string, Method>> = {
    startEngine: { takes: "ignitionMode", run: (mode = null) => this.#start(mode) },
    fillFuelTank: { takes: "fuelAmount", run: (amount = null) => this.#fill(amount) },
    lockDoors: { takes: "unlock door", run: (unlock = null, doors = null) => this.#lock(unlock, doors) },
    adjustClimateControl: {
      takes: "temperature unit fanSpeed mode",
      defaults: ["celsius", 50n, "auto"],
      run: (temperature = null, unit = null, fan = null, mode = null) => this.#climate(temperature, unit, fan, mode),
    },
    get_outside_temperature_from_google: { takes: "", run: () => this.#weather() },
    get_outside_temperature_from_weather_com: { takes: "", run: () => record({ error: 404n }) },
    setHeadlights: { takes: "mode", run: (mode = null) => this.#lights(mode) },
    displayCarStatus: { takes: "option", run: (option = null) => this.#status(option) },
    activateParkingBrake: { takes: "mode", run: (mode = null) => this.#park(mode) },
    pressBrakePedal: { takes: "pedalPosition", run: (position = null) => this.#press(position) },
    releaseBrakePedal: { takes: "", run: () => this.#release() },
    setCruiseControl: {
      takes: "speed activate distanceToNextVehicle",
      run: (speed = null, activate = null, distance = null) => this.#cruise(speed, activate, distance),
    },
    get_current_speed: { takes: "", run: () => record({ currentSpeed: this.random.uniform(0, 120) }) },
    display_log: { takes: "messages", run: (messages = null) => record({ log: messages }) },
    estimate_drive_feasibility_by_mileage: {
      takes: "distance",
      run: (distance = null) =>
        record({ canDrive: !compare(multiply(this.get("fuelLevel"), milesPerGallon), "<", distance) }),
    },
    liter_to_gallon: { takes: "liter", run: (liter = null) => record({ gallon: multiply(liter, 0.264172) }) },
    gallon_to_liter: { takes: "gallon", run: (gallon = null) => record({ liter: multiply(gallon, 3.78541) }) },
    estimate_distance: { takes: "cityA cityB", run: (from = null, to = null) => this.#distance(from, to) },
    get_zipcode_based_on_city: {
      takes: "city",
      run: (city = null) =>
        record({ zipcode: typeof city === "string" && Object.hasOwn(zipCodes, city) ? zipCodes[city]! : "00000" }),
    },
    set_navigation: { takes: "destination", run: (destination = null) => this.#navigate(destination) },
    check_tire_pressure: { takes: "", run: () => this.#pressures() },
    find_nearest_tire_shop: { takes: "", run: () => record({ shopLocation: "456 Oakwood Avenue, Rivermist, 83214" }) },
  };
}
