#include "parameter_text.hpp"

namespace tw::recipe {
namespace {

std::string number_text(double number) {
    // Larger than any whole number that a double tells from its neighbour: the seed's last.
    if (number == 0x1p64) return "18446744073709551615";
    JsonWriter writer;
    if (number >= 1.0 && number < 0x1p53 &&
        static_cast<double>(static_cast<std::uint64_t>(number)) == number) {
        writer.value(static_cast<std::uint64_t>(number));  // never 1e+05
    } else {
        writer.value(number);
    }
    return std::move(writer).take();
}

std::string choices_text(std::span<const std::string_view> choices) {
    std::string text;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        if (i > 0) text += i + 1 == choices.size() ? " or " : ", ";
        text += choices[i];
    }
    return text;
}

}  // namespace

std::string range_text(const Parameter& parameter) {
    switch (parameter.type) {
        case ParameterType::number:
        case ParameterType::integer:
        case ParameterType::pair: {
            std::string text = number_text(parameter.low) + " to " + number_text(parameter.high);
            if (!parameter.unit.empty()) text += " " + std::string(parameter.unit);
            return text;
        }
        case ParameterType::choice:
            return choices_text(parameter.choices);
        case ParameterType::text:
        case ParameterType::file:
            break;
    }
    return {};
}

void write_value(JsonWriter& writer, const Parameter& parameter, const ParameterValue& value) {
    if (const auto* number = std::get_if<double>(&value)) {
        writer.raw(number_text(*number));
    } else if (const auto* natural = std::get_if<std::uint64_t>(&value)) {
        if (parameter.type == ParameterType::choice) {
            writer.value(parameter.choices[*natural]);
        } else {
            writer.value(*natural);
        }
    } else if (const auto* pair = std::get_if<std::array<double, 2>>(&value)) {
        writer.raw("[" + number_text((*pair)[0]) + ", " + number_text((*pair)[1]) + "]");
    } else if (const auto* text = std::get_if<std::string>(&value)) {
        writer.value(std::string_view(*text));
    } else {
        writer.null();
    }
}

std::string quoted(std::string_view text) {
    JsonWriter writer;
    writer.value(text);
    return std::move(writer).take();
}

std::string_view section_of(const Parameter& parameter) {
    const std::size_t dot = parameter.path.find('.');
    return dot == std::string_view::npos ? std::string_view() : parameter.path.substr(0, dot);
}

std::string_view key_of(const Parameter& parameter) {
    return parameter.path.substr(parameter.path.find('.') + 1);  // npos + 1 is 0
}

}  // namespace tw::recipe
